// The types of Kubernetes' own objects, as published for TypeScript: what the example manifest is checked against.
export type { Deployment } from "npm:kubernetes-types@1.30.0/apps/v1.d.ts";
export type { CronJob } from "npm:kubernetes-types@1.30.0/batch/v1.d.ts";
export type { PersistentVolumeClaim } from "npm:kubernetes-types@1.30.0/core/v1.d.ts";

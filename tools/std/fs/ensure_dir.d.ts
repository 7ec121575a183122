export declare function ensureDir(dir: string | URL): Promise<void>;
export declare function ensureDirSync(dir: string | URL): void;

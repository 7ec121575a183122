export declare function dirname(path: string | URL): string;

export declare function fromFileUrl(url: string | URL): string;

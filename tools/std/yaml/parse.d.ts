export declare function parse(content: string): unknown;
export declare function parseAll(content: string): unknown;

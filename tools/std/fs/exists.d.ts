/** What counts as being there, besides the path itself. */
export interface ExistsOptions {
  isReadable?: boolean;
  isDirectory?: boolean;
  isFile?: boolean;
}
export declare function exists(path: string | URL, options?: ExistsOptions): Promise<boolean>;
export declare function existsSync(path: string | URL, options?: ExistsOptions): boolean;

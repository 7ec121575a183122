export declare function closestString(givenWord: string, possibleWords: ReadonlyArray<string>): string;

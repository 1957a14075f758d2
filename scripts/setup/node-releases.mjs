// Releases of Node.js in the npm registry, by major version and platform. A package holds the program and needs no install
// script. The digests come from the registry, which has no current release for macOS on Apple's processors.

/** The oldest Node.js that Beckon runs on; `engines` of package.json says the same. */
export const OLDEST = [22, 15];

export const RELEASES = {
  24: {
    "linux-x64": {
      version: "24.21.0",
      integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
    },
    "linux-arm64": {
      version: "24.22.0",
      integrity: "sha512-xbI0deR0+gzJizE0IdT7x3ewSqtvWW7tx6QlJIBI6IszUY41yrPmOeS+b6WkA7DmSS8VKJRcMthWVwO1LbjamQ==",
    },
    "darwin-x64": {
      version: "24.18.1",
      integrity: "sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==",
    },
  },
  22: {
    "linux-x64": {
      version: "22.23.3",
      integrity: "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
    },
    "linux-arm64": {
      version: "22.23.3",
      integrity: "sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==",
    },
    "darwin-x64": {
      version: "22.23.3",
      integrity: "sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==",
    },
  },
};

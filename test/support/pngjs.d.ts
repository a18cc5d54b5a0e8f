// pngjs ships no types; this is what the tests use of it.
declare module 'pngjs' {
  export const PNG: {
    sync: { read(bytes: Buffer): { width: number; height: number; data: Buffer } }
  }
}

// pngjs ships no types; this is what the tests use of it.
declare module 'pngjs' {
  export interface PngOptions {
    width?: number
    height?: number
    colorType?: 0 | 2 | 4 | 6
    bitDepth?: 8 | 16
    filterType?: number
  }
  export class PNG {
    constructor(options: PngOptions)
    width: number
    height: number
    data: Buffer
    static bitblt(
      source: PNG,
      target: PNG,
      sourceX: number,
      sourceY: number,
      width: number,
      height: number,
      targetX: number,
      targetY: number,
    ): void
    static sync: {
      read(bytes: Buffer): PNG
      write(png: PNG, options?: PngOptions): Buffer
    }
  }
}

// qrcode ships no types; this is what the tests use of it.
declare module 'qrcode' {
  export interface QrCodeOptions {
    scale?: number
    margin?: number
    errorCorrectionLevel?: 'L' | 'M' | 'Q' | 'H'
    color?: { dark?: string; light?: string }
  }
  export function toBuffer(text: string, options?: QrCodeOptions): Promise<Buffer>
}

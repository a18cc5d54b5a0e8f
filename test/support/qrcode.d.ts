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

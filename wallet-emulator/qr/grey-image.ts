/** A greyscale image, one byte a pixel, row by row from the top left. */
export interface GreyImage {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** What a reader of QR codes may be given: it takes several copies of them. */
export const mostPixels = 40_000_000

/** What an image may take in memory while it is decoded: a screenshot of 8K takes 127 MiB. */
export const mostDecodedBytes = 128 * 1024 * 1024

/** What a decoder of images gives: it never throws for what the bytes hold. */
export type DecodeImageResult =
  | { readonly ok: true; readonly image: GreyImage }
  | { readonly ok: false; readonly reason: string }

/** How light a colour is, 0 to 255 (ITU-R BT.601 in integers). */
export function lumaOf(red: number, green: number, blue: number): number {
  return (red * 77 + green * 150 + blue * 29) >> 8
}

/** How light a grey is that lies on white, the more of which shines through the less alpha it has. */
export function onWhite(grey: number, alpha: number): number {
  return alpha === 255 ? grey : Math.round((grey * alpha + 255 * (255 - alpha)) / 255)
}

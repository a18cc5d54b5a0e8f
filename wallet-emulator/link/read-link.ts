import { type FoundLink, findLink } from '#core/link/find-link.ts'
import {
  type CameraFrame,
  type ReadQrOptions,
  readQrFrame,
  readQrImage,
} from '../qr/read-qr-code.ts'

/** A string, the bytes of a PNG or JPEG file, or a camera frame. */
export type LinkSource = string | Uint8Array | CameraFrame

/** The link and its kind, or why there is none. */
export type ReadLinkResult =
  | ({ readonly ok: true } & FoundLink)
  | { readonly ok: false; readonly reason: string }

/**
 * Finds the link of an offer or a presentation request in any source that a holder may have, and
 * returns which of the two it is. Never throws because of the source's content.
 */
export function readLink(source: LinkSource, options: ReadQrOptions = {}): ReadLinkResult {
  if (typeof source === 'string') return linkIn(source, 'the text')
  const read =
    source instanceof Uint8Array ? readQrImage(source, options) : readQrFrame(source, options)
  return read.ok ? linkIn(read.text, 'the QR code') : read
}

function linkIn(text: string, what: string): ReadLinkResult {
  const found = findLink(text)
  if (found) return { ok: true, ...found }
  return {
    ok: false,
    reason: `${what} contains neither a credential offer nor a presentation request`,
  }
}

import type { HttpPage } from '#scenarios/harness/http-browser.ts'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import { decodePageText } from './decode-page-text.ts'

/** The texts of the QR codes among the PNG and JPEG images of a page; what is none is passed over. */
export async function readPageCodes(
  http: Pick<HttpClient, 'request'>,
  { text, url }: Pick<HttpPage, 'text' | 'url'>,
): Promise<readonly string[]> {
  const found = text.matchAll(/<img\b[^>]*?\ssrc\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'>]+))/gi)
  const sources = [...found].map(([, double, single, bare]) =>
    decodePageText(double ?? single ?? bare ?? ''),
  )
  const images = await Promise.all(sources.map((source) => readImage(http, source, url)))
  return images.flatMap((image) => {
    const read = image && readQrImage(image)
    return read?.ok ? [read.text] : []
  })
}

async function readImage(
  http: Pick<HttpClient, 'request'>,
  source: string,
  base: string,
): Promise<Uint8Array | undefined> {
  const data = /^data:image\/(?:png|jpe?g);base64,(.+)$/s.exec(source)?.[1]
  if (data !== undefined) return Buffer.from(data, 'base64')
  const address = URL.parse(source, base)
  if (!address || !/^https?:$/.test(address.protocol)) return undefined
  const { status, bytes } = await http.request(address.href)
  return status === 200 ? bytes : undefined
}

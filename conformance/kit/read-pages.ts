import { randomUUID } from 'node:crypto'
import type { HttpBrowser, HttpPage } from '#scenarios/harness/http-browser.ts'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'

const named: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
}

/**
 * Decodes the character references (`&amp;`, `&#x26;`) of a page and the escapes of JSON and
 * scripts in it (`\u0026`, `\/`), so that links and codes are readable.
 */
export function decodePageText(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_all, four?: string, two?: string) =>
      String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
    )
    .replaceAll('\\/', '/')
    .replace(/&(?:#x([0-9a-f]{1,4})|#(\d{1,5})|(amp|quot|apos|lt|gt));/gi, decodeReference)
}

function decodeReference(_all: string, hex?: string, decimal?: string, name?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? ''
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return String.fromCharCode(code)
}

/**
 * The contents of the QR codes among the PNG and JPEG images of a page; other images are ignored.
 */
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

/**
 * Whether an unknown address shows the same page, or leads to it: many servers show one page for
 * every unknown address, and then the page does not confirm the requested address.
 */
export async function answersEverything(
  browser: Pick<HttpBrowser, 'get'>,
  { url, status, text, visited }: Pick<HttpPage, 'url' | 'status' | 'text' | 'visited'>,
): Promise<boolean> {
  const [requested = url] = visited
  const nowhere = new URL(requested)
  nowhere.pathname = `${nowhere.pathname.replace(/\/$/, '')}-${randomUUID()}`
  const other = await browser.get(nowhere.href)
  // A page may repeat the address that it does not know.
  const contentOf = (content: string, address: string) =>
    content.replaceAll(new URL(address).pathname, '')
  const isSame =
    contentOf(other.text, nowhere.href) === contentOf(text, requested) ||
    (other.url === url && url !== requested)
  return other.status === status && isSame
}

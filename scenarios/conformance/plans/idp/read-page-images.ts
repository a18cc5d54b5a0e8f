import { readQrImage } from '#wallet-emulator/qr/read-qr-image.ts'
import { requireAnswer } from '../../classify-answer.ts'
import type { BegunLogin, IdpContext } from './context.ts'

/** The texts of the QR codes among the PNG and JPEG images of a page. */
export async function readPageImages(
  { httpAs }: IdpContext,
  { page }: BegunLogin,
): Promise<readonly string[]> {
  const sources = [...page.text.matchAll(/<img[^>]*\ssrc="([^"]+)"/g)].map(([, source = '']) =>
    source.replaceAll('&amp;', '&'),
  )
  const images = await Promise.all(
    sources.map(async (source) => {
      const data = /^data:image\/(?:png|jpeg);base64,(.+)$/.exec(source)?.[1]
      if (data !== undefined) return Buffer.from(data, 'base64')
      const answer = await httpAs('browser').request(new URL(source, page.url).href)
      return Buffer.from(requireAnswer(answer, 'An image of the page').bytes)
    }),
  )
  return images.flatMap((image) => {
    const read = readQrImage(image)
    return read.ok ? [read.text] : []
  })
}

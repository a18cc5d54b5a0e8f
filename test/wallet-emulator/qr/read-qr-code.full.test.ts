import { expect, it } from 'vitest'
import { blurred, drawQr, grainy, placed, toJpeg, turned } from '#test/support/images.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'

it('reads a photograph of twelve megapixels', async () => {
  const text =
    'openid-credential-offer://?credential_offer_uri=https%3A%2F%2Fissuer.example%2Foffers%2F1'
  const photo = placed(
    grainy(blurred(turned(await drawQr(text), 17), 1), 30),
    { width: 4032, height: 3024 },
    { x: 1500, y: 900 },
    140,
  )
  const patient = { timeLimitMilliseconds: 60_000 }
  expect(readQrImage(toJpeg(photo), patient)).toEqual({ ok: true, text })
})

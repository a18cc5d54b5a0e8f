import { describe, expect, it } from 'vitest'
import { createQrPng } from '#core/qr/qr-code.ts'
import { photograph } from '#scenarios/fixtures/qr-images.ts'
import { createRecorder } from '#scenarios/harness/recorder.ts'
import { readQrPng } from '#test/support/images.ts'

describe('createRecorder', () => {
  it('keeps the steps in order, gives their results, and numbers them from 1', async () => {
    const recorder = createRecorder()
    expect(recorder.currentStep).toBe(0)
    expect(await recorder.step('first', () => recorder.currentStep)).toBe(1)
    expect(await recorder.step('second', async () => recorder.currentStep)).toBe(2)
    expect(recorder.currentStep).toBe(0)
    expect(recorder.steps.map(({ title, verdict }) => [title, verdict])).toEqual([
      ['first', 'passed'],
      ['second', 'passed'],
    ])
  })

  it('marks the step that threw, names it, and lets the error through', async () => {
    const recorder = createRecorder()
    const error = new Error('no')
    await expect(recorder.step('fails', () => Promise.reject(error))).rejects.toBe(error)
    expect(recorder.steps[0]?.verdict).toBe('failed')
    expect(recorder.currentTitle).toBe('fails')
  })

  it('refuses a step within a step', async () => {
    const recorder = createRecorder()
    const nested = recorder.step('outer', () => recorder.step('inner', () => {}))
    await expect(nested).rejects.toThrow(TypeError)
  })

  it('tells each step as it begins', async () => {
    const told: string[] = []
    const recorder = createRecorder((title) => told.push(title))
    await recorder.step('one', () => expect(told).toEqual(['one']))
  })

  it('keeps attachments with the step they belong to', async () => {
    const recorder = createRecorder()
    await recorder.step('one', () => recorder.attach('qr', Uint8Array.of(0x89, 0x50), 'image/png'))
    recorder.attach('note', 'text', 'text/plain')
    expect(recorder.attachments).toEqual([
      { name: 'qr', mimeType: 'image/png', base64: 'iVA=', step: 1 },
      { name: 'note', mimeType: 'text/plain', base64: 'dGV4dA==', step: 0 },
    ])
  })

  it('masks the pre-authorized code of an offer, in a text and in a QR code', () => {
    const grants = { 'pre-authorized_code': 'a-code-that-nobody-else-may-redeem' }
    const link = `openid-credential-offer://?credential_offer=${encodeURIComponent(JSON.stringify({ grants }))}`
    const recorder = createRecorder()
    recorder.attach('mail', `Open ${link} on your phone.`, 'text/plain')
    recorder.attach('QR', createQrPng(link), 'image/png')
    recorder.attach('photograph', photograph(createQrPng(link)), 'image/jpeg')
    const [mail, ...images] = recorder.attachments.map(({ base64 }) =>
      Buffer.from(base64, 'base64'),
    )
    const texts = [mail?.toString(), ...images.map((image) => readQrPng(image))]
    for (const text of texts) {
      expect(text).toContain('openid-credential-offer://?credential_offer=')
      expect(text).toContain('a-code-t…')
      expect(text).not.toContain('a-code-that')
    }
  })

  it('ends the step under way when it is closed, and takes nothing that comes later', async () => {
    const recorder = createRecorder()
    const { promise, resolve } = Promise.withResolvers<void>()
    const work = recorder.step('cut off', () => promise)
    recorder.close()
    resolve()
    await work
    await recorder.step('too late', () => recorder.attach('late', 'x', 'text/plain'))
    expect(recorder.steps.map(({ title, verdict }) => [title, verdict])).toEqual([
      ['cut off', 'failed'],
    ])
    expect(recorder.attachments).toEqual([])
  })
})

import { maskText } from '#core/json/mask-secrets.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import { type ReadQrResult, readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import type { Attachment, StepResult } from './z-results.ts'

/** Records what a scenario does: its steps with their times, and its attachments. */
export interface Recorder {
  readonly steps: readonly StepResult[]
  readonly attachments: readonly Attachment[]
  /** Number of the current step, from 1; 0 outside any step. */
  readonly currentStep: number
  /** Title of the current step, or of the last step that failed. */
  readonly currentTitle: string | undefined
  step<T>(title: string, work: () => Promise<T> | T): Promise<T>
  /**
   * Keeps a string, or an image. Masks a secret; a QR code with a secret is drawn again.
   * @param read what was read from the image, if it has been read
   */
  attach(name: string, bytes: Uint8Array | string, mimeType: string, read?: ReadQrResult): void
  /** Ends the current step as failed and ignores later calls, for an aborted scenario. */
  close(): void
}

export function createRecorder(onStep: (title: string) => void = () => {}): Recorder {
  const began = performance.now()
  const steps: StepResult[] = []
  const attachments: Attachment[] = []
  let current: { title: string; beganAt: number } | undefined
  let failed: string | undefined
  let closed = false

  function endStep(verdict: StepResult['verdict']): void {
    if (current === undefined || closed) return
    const { title, beganAt } = current
    const durationMilliseconds = performance.now() - began - beganAt
    steps.push({ title, beganAt, durationMilliseconds, verdict })
    if (verdict === 'failed') failed = title
    current = undefined
  }

  const currentStep = () => (current === undefined ? 0 : steps.length + 1)

  return {
    steps,
    attachments,
    get currentStep() {
      return currentStep()
    },
    get currentTitle() {
      return current?.title ?? failed
    },
    async step(title, work) {
      if (current !== undefined) {
        throw new TypeError(`The step "${title}" begins inside "${current.title}".`)
      }
      current = { title, beganAt: performance.now() - began }
      if (!closed) onStep(title)
      try {
        const result = await work()
        endStep('passed')
        return result
      } catch (error) {
        endStep('failed')
        throw error
      }
    },
    attach(name, bytes, mimeType, read) {
      if (closed) return
      attachments.push({ name, ...maskAttachment(bytes, mimeType, read), step: currentStep() })
    },
    close() {
      endStep('failed')
      closed = true
    },
  }
}

function maskAttachment(
  bytes: Uint8Array | string,
  mimeType: string,
  known?: ReadQrResult,
): Pick<Attachment, 'mimeType' | 'base64'> {
  if (typeof bytes === 'string') {
    return { mimeType, base64: Buffer.from(maskText(bytes)).toString('base64') }
  }
  const isReadable = /^image\/(png|jpeg)$/.test(mimeType)
  const read = known ?? (isReadable ? readQrImage(bytes) : undefined)
  const masked = read?.ok ? maskText(read.text) : undefined
  if (masked === undefined || masked === (read?.ok && read.text)) {
    return { mimeType, base64: Buffer.from(bytes).toString('base64') }
  }
  return { mimeType: 'image/png', base64: createQrPng(masked).toString('base64') }
}

import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createCheckResult } from '#test/support/results.ts'
import { openProgressStream } from '#testbed/command-line/progress-stream.ts'

function open() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const stream = openProgressStream(input, output)
  const readLines = async () => {
    output.end()
    const lines = (await text(output)).trimEnd().split('\n')
    return lines.map((line) => JSON.parse(line))
  }
  return { input, stream, readLines }
}

const task = {
  verb: 'accept-offer',
  link: 'openid-credential-offer://?credential_offer_uri=x',
  number: 1,
  timeoutMilliseconds: 180_000,
} as const

describe('the progress as JSON', () => {
  it('is a line for each event, in which a failing check says how to fix it', async () => {
    const { stream, readLines } = open()
    const { hops: _, ...result } = createCheckResult({ verdict: 'failed' })
    stream.createDisplay(2).show({ kind: 'ended', result })
    stream.say('Open the page.')
    stream.close()
    const { check } = result
    expect(await readLines()).toEqual([
      { kind: 'total', total: 2 },
      {
        kind: 'ended',
        id: check?.id,
        title: result.title,
        verdict: 'failed',
        durationMilliseconds: result.durationMilliseconds,
        reason: check?.reason,
        ...(check?.fix !== undefined && { fix: check.fix }),
        detail: {
          anchor: result.id.replaceAll(/\W+/g, '-'),
          expected: check?.decides,
          difference: expect.any(Array),
          rules: check?.rules.map(({ id, ...rest }) => ({ name: id, ...rest })),
          clauses: check?.clauses,
        },
      },
      { kind: 'said', text: 'Open the page.' },
    ])
  })

  it('asks questions, and ignores answers to earlier ones and lines that are not JSON', async () => {
    const { input, stream, readLines } = open()
    const { signal } = new AbortController()
    const first = stream.ask(task, signal)
    const second = stream.ask({ verb: 'watch' }, signal)
    expect(await first).toBeUndefined()
    const [early, late] = [1, 2].map((id) => ({ id, reply: { did: 'accepted', note: 'Hello' } }))
    input.write(`${JSON.stringify(early)}\nno JSON\n${JSON.stringify(late)}\n`)
    expect(await second).toEqual({ did: 'accepted', note: 'Hello' })
    stream.close()
    expect(await readLines()).toEqual([
      { kind: 'question', id: 1, question: task },
      { kind: 'question', id: 1, question: null },
      { kind: 'question', id: 2, question: { verb: 'watch' } },
      { kind: 'question', id: 2, question: null },
    ])
  })

  it('withdraws a question that was answered elsewhere', async () => {
    const { stream, readLines } = open()
    const answered = new AbortController()
    const asked = stream.ask(task, answered.signal)
    answered.abort()
    expect(await asked).toBeUndefined()
    stream.close()
    expect(await readLines()).toEqual([
      { kind: 'question', id: 1, question: task },
      { kind: 'question', id: 1, question: null },
    ])
  })

  it.each([
    ['neither PNG nor JPEG', Buffer.from('<svg/>').toString('base64')],
    ['larger than 2 MiB', `iVBORw0KGgo${'A'.repeat(2_800_000)}A`],
    ['not base64', 'iVBORw0KGgo<script>'],
  ])('ignores a reply with a screenshot that is %s', async (_, screenshot) => {
    const { input, stream } = open()
    const asked = stream.ask(task, new AbortController().signal)
    const reply = { did: 'refused', note: '' }
    input.write(`${JSON.stringify({ id: 1, reply: { ...reply, screenshot } })}\n`)
    input.write(`${JSON.stringify({ id: 1, reply: { ...reply, screenshot: 'iVBORw0KGgo=' } })}\n`)
    expect(await asked).toEqual({ ...reply, screenshot: 'iVBORw0KGgo=' })
  })

  it('ends the run once its reader has gone', async () => {
    const { input, stream } = open()
    const aborted = new Promise((resolve) => stream.signal.addEventListener('abort', resolve))
    input.end()
    await aborted
    expect(stream.signal.aborted).toBe(true)
  })
})

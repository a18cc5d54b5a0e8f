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
      },
      { kind: 'said', text: 'Open the page.' },
    ])
  })

  it('asks questions, and ignores answers to earlier ones and lines that are not JSON', async () => {
    const { input, stream, readLines } = open()
    const first = stream.ask('The first?')
    const second = stream.ask('The second?')
    expect(await first).toBeUndefined()
    input.write('{"id":1,"accepted":true}\nno JSON\n{"id":2,"accepted":false}\n')
    expect(await second).toBe(false)
    stream.close()
    expect(await readLines()).toEqual([
      { kind: 'question', id: 1, text: 'The first?' },
      { kind: 'question', id: 1, text: null },
      { kind: 'question', id: 2, text: 'The second?' },
      { kind: 'question', id: 2, text: null },
    ])
  })

  it('ends the run once its reader has gone', async () => {
    const { input, stream } = open()
    const aborted = new Promise((resolve) => stream.signal.addEventListener('abort', resolve))
    input.end()
    await aborted
    expect(stream.signal.aborted).toBe(true)
  })
})

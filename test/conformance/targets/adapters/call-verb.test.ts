import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createExchangeLog } from '#conformance/kit/evidence/exchange-log.ts'
import { callVerb } from '#conformance/targets/adapters/call-verb.ts'
import {
  fillJson,
  fillText,
  fillUrl,
  fillWords,
  type PlaceholderValues,
} from '#conformance/targets/adapters/fill-placeholders.ts'
import type { CommandVerb, HttpVerb } from '#conformance/targets/adapters/z-verb.ts'
import { isAlive } from '#test/support/processes.ts'
import { type Answer, startAnsweringServer } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const node = process.execPath

interface CallOptions extends Partial<CommandVerb> {
  readonly values?: PlaceholderValues
  readonly signal?: AbortSignal
  readonly kitEnvironment?: Readonly<Record<string, string>>
  readonly hidden?: readonly string[]
}

/** Writes a program of these lines, and runs it as a verb. */
async function run(
  program: string,
  { values = {}, signal, kitEnvironment, hidden = [], ...verb }: CallOptions = {},
) {
  const folder = createTemporaryFolder()
  writeFileSync(join(folder, 'wallet.mjs'), program)
  const exchanges = createExchangeLog()
  exchanges.hide(...hidden)
  const answer = await callVerb(
    { command: `${node} wallet.mjs`, folder, ...verb },
    'accept-offer',
    values,
    {
      exchanges,
      signal: signal ?? AbortSignal.timeout(20_000),
      ...(kitEnvironment && { environment: kitEnvironment }),
    },
  )
  return { ...answer, folder, hops: exchanges.take() }
}

const args = 'process.stdout.write(JSON.stringify(process.argv.slice(2)))'
const withArguments = (words: string) => ({ command: `${node} wallet.mjs ${words}` })

describe('the exit code decides', () => {
  it('0 is done, with the output', async () => {
    const { outcome, json, source } = await run('console.log(JSON.stringify({ credentials: [] }))')
    expect({ outcome, json, source }).toEqual({
      outcome: 'done',
      json: { credentials: [] },
      source: 'exit code of accept-offer',
    })
  })

  it('1 is a rejection, with the output as the reason', async () => {
    const { outcome, reason } = await run('console.error("unknown issuer"); process.exit(1)')
    expect(outcome).toBe('refused')
    expect(reason).toBe('accept-offer exited with code 1: unknown issuer')
  })

  it('any other code is inconclusive', async () => {
    const answer = await run('process.exit(2)')
    expect(answer.outcome).toBe('failed')
    expect(answer).not.toHaveProperty('hasCrashed')
  })

  it('the target can define other codes', async () => {
    const exitCodes = { done: [0, 3], refused: [4] }
    expect((await run('process.exit(3)', { exitCodes })).outcome).toBe('done')
    expect((await run('process.exit(4)', { exitCodes })).outcome).toBe('refused')
    expect((await run('process.exit(1)', { exitCodes })).outcome).toBe('failed')
  })
})

describe('what is not a rejection', () => {
  it('a crash, whose exit code is 1 as well', async () => {
    const { outcome, reason, hasCrashed } = await run('JSON.parse("{")')
    expect({ outcome, hasCrashed }).toEqual({ outcome: 'failed', hasCrashed: true })
    expect(reason).toContain('crashed')
  })

  it('a program that does not exist', async () => {
    const { outcome, reason } = await run('', { command: './no-such-wallet' })
    expect(outcome).toBe('failed')
    expect(reason).toContain('could not be started')
  })

  it('an argument that cannot be passed', async () => {
    const { outcome } = await run(args, { ...withArguments('{link}'), values: { link: 'a\0b' } })
    expect(outcome).toBe('failed')
  })

  it('a signal', async () => {
    const { outcome, reason, hasCrashed } = await run('process.kill(process.pid, "SIGKILL")')
    expect({ outcome, hasCrashed }).toEqual({ outcome: 'failed', hasCrashed: true })
    expect(reason).toContain('SIGKILL')
  })
})

/** A program that ignores SIGTERM, and starts a child process that ignores it too. */
const stubborn = `
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
process.on('SIGTERM', () => {})
if (process.argv[2] !== 'inner') {
  const inner = spawn(process.execPath, [import.meta.filename, 'inner'], { stdio: 'inherit' })
  writeFileSync('inner.pid', String(inner.pid))
}
setInterval(() => {}, 1000)
`

describe('a program that does not end', () => {
  it('is ended at the time limit with its child processes, and is not a rejection', async () => {
    const { outcome, reason, folder } = await run(stubborn, { timeoutSeconds: 3 })
    expect(outcome).toBe('timed-out')
    expect(reason).toContain('did not finish within 3 seconds')
    expect(isAlive(Number(readFileSync(join(folder, 'inner.pid'), 'utf8')))).toBe(false)
  })

  it('is ended with the check', async () => {
    const { outcome, reason } = await run('setInterval(() => {}, 1000)', {
      signal: AbortSignal.timeout(300),
    })
    expect(outcome).toBe('timed-out')
    expect(reason).toContain('interrupted')
  })

  it('is not started after the check has ended', async () => {
    const { outcome } = await run('process.exit(1)', { signal: AbortSignal.abort() })
    expect(outcome).toBe('timed-out')
  })

  it('can leave a program behind that keeps its output open', async () => {
    const { outcome } = await run(`
      import { spawn } from 'node:child_process'
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).unref()
      process.exit(1)`)
    expect(outcome).toBe('refused')
  })
})

describe('what it reads and writes', () => {
  it('standard input is closed', async () => {
    const { text } = await run(
      'let text = ""; for await (const chunk of process.stdin) text += chunk; console.log("read " + text.length)',
    )
    expect(text).toBe('read 0\n')
  })

  it('too much output does not stop it, and the first MiB is kept', async () => {
    const { outcome, text } = await run(`
      const line = 'x'.repeat(65_535) + '\\n'
      for (let i = 0; i < 64; i++) if (!process.stdout.write(line)) await new Promise((r) => process.stdout.once('drain', r))`)
    expect(outcome).toBe('done')
    expect(text.length).toBeLessThan(1_100_000)
    expect(text).toMatch(/… and 3145728 more bytes$/)
  })

  it('it receives only its own environment and the addresses of the kit', async () => {
    const { json } = await run('console.log(JSON.stringify(process.env))', {
      environment: { WALLET_MODE: 'test' },
      kitEnvironment: { TESTBED_ROOT_DID: 'did:org:uc-pre:z1', WALLET_MODE: 'other' },
    })
    expect(json).toEqual({ TESTBED_ROOT_DID: 'did:org:uc-pre:z1', WALLET_MODE: 'test' })
  })
})

describe('links as arguments', () => {
  it.each([
    `openid4vp://?a=$(touch attacked)`,
    'openid4vp://?a=`touch attacked`',
    `openid4vp://?a='; touch attacked; '`,
    `openid4vp://?a="; touch attacked; "`,
    'openid4vp://?a=b && touch attacked\n',
    'openid4vp://?a=%27{pin}',
    `openid4vp://?a=\\`,
  ])('%j is one argument and nothing else', async (link) => {
    const { json, folder } = await run(args, {
      ...withArguments('present "{link}" --pin={pin}'),
      values: { link, pin: '1234' },
    })
    expect(json).toEqual(['present', link, '--pin=1234'])
    expect(() => readFileSync(join(folder, 'attacked'))).toThrow()
  })

  it('an option is omitted together with its missing value', async () => {
    const words = { ...withArguments('accept {link} --pin {pin} --code={pin} {pin} --quiet') }
    const { json } = await run(args, { ...words, values: { link: 'l', pin: undefined } })
    expect(json).toEqual(['accept', 'l', '--quiet'])
  })

  it('words are split as a shell splits them, and nothing is expanded', async () => {
    const { json, folder } = await run(
      args,
      withArguments(`a\\ b 'c "d' "e 'f \\"g" '' $HOME * ~ '{'`),
    )
    mkdirSync(join(folder, 'x'))
    expect(json).toEqual(['a b', 'c "d', `e 'f "g`, '', '$HOME', '*', '~', '{'])
  })
})

describe('the evidence', () => {
  it('contains the command and its output', async () => {
    const { hops } = await run('console.log("taken"); console.error("a warning")', {
      ...withArguments('accept {link}'),
      values: { link: 'openid4vp://?x' },
    })
    expect(hops).toHaveLength(1)
    expect(hops[0]).toMatchObject({
      kind: 'command',
      method: 'RUN',
      url: 'accept-offer',
      requestBody: { words: [node, 'wallet.mjs', 'accept', 'openid4vp://?x'] },
      responseBody: { exitCode: 0, stdout: 'taken\n', stderr: 'a warning\n' },
    })
  })

  it('contains neither the secrets of the target nor a PIN', async () => {
    const secret = 'a "quoted" secret & more'
    const { hops } = await run(
      `const { API_KEY } = process.env
       console.log(API_KEY, JSON.stringify({ API_KEY }), encodeURIComponent(API_KEY), new URLSearchParams({ API_KEY }).toString())
       console.error('PIN ' + process.argv[2])`,
      {
        ...withArguments('{pin}'),
        values: { pin: '493536' },
        environment: { API_KEY: secret },
        hidden: [secret],
      },
    )
    const evidence = JSON.stringify(hops)
    expect(evidence).toContain('PIN •••')
    expect(evidence).not.toMatch(/quoted|secret|493536/)
  })
})

async function call(
  answer: Answer,
  {
    path = '',
    values = {},
    ...verb
  }: Partial<HttpVerb> & { path?: string; values?: PlaceholderValues } = {},
) {
  const { url, requests } = await startAnsweringServer(() => answer)
  const exchanges = createExchangeLog()
  const result = await callVerb({ url: `${url}${path}`, ...verb }, 'present', values, {
    exchanges,
    signal: AbortSignal.timeout(10_000),
  })
  return { ...result, requests, hops: exchanges.take() }
}

describe('the HTTP status decides', () => {
  it.each([
    [200, 'done'],
    [204, 'done'],
    [302, 'failed'],
    [400, 'refused'],
    [409, 'refused'],
    [422, 'refused'],
    // They speak of the call: the address, the method, who asks.
    [401, 'failed'],
    [403, 'failed'],
    [404, 'failed'],
    [405, 'failed'],
    [415, 'failed'],
    // Overload, outage and timeout are not rejections.
    [429, 'overloaded'],
    [503, 'overloaded'],
    [408, 'timed-out'],
    [504, 'timed-out'],
    [500, 'failed'],
    [502, 'failed'],
  ])('%i is %s', async (status, outcome) => {
    expect((await call({ status })).outcome).toBe(outcome)
  })

  it('the target can define other codes', async () => {
    const statuses = { done: [202], refused: [404] }
    expect((await call({ status: 202 }, { statuses })).outcome).toBe('done')
    expect((await call({ status: 200 }, { statuses })).outcome).toBe('failed')
    expect((await call({ status: 404 }, { statuses })).outcome).toBe('refused')
    expect((await call({ status: 400 }, { statuses })).outcome).toBe('failed')
  })

  it('no response in time is not a rejection', async () => {
    const { outcome, reason } = await call('hang', { timeoutSeconds: 0.2 })
    expect(outcome).toBe('timed-out')
    expect(reason).toBe('present: no response within 0.2 seconds.')
  })

  it.each([200, 422])('HTTP %i with an incomplete body does not decide', async (status) => {
    const headers = { 'content-length': '100' }
    const answer = await call({ status, headers, body: '[]' }, { timeoutSeconds: 0.2 })
    const reason = `present: no complete response after HTTP ${status} within 0.2 seconds.`
    expect(answer).toMatchObject({ outcome: 'timed-out', reason, hops: [{ status: 0 }] })
  })

  it('an absent server is not a rejection', async () => {
    const exchanges = createExchangeLog()
    const { outcome, source } = await callVerb(
      { url: 'http://127.0.0.1:9/x' },
      'present',
      {},
      {
        exchanges,
        signal: AbortSignal.timeout(10_000),
      },
    )
    expect({ outcome, source }).toEqual({ outcome: 'timed-out', source: 'HTTP status of present' })
    expect(exchanges.take()).toHaveLength(1)
  })

  it('reports the text of the answer', async () => {
    const { reason, json } = await call({ status: 422, body: { error: 'unknown_issuer' } })
    expect(reason).toBe('present was answered with HTTP 422: {"error":"unknown_issuer"}')
    expect(json).toEqual({ error: 'unknown_issuer' })
  })

  it('names the address of a call that does not exist, without its query', async () => {
    const { reason } = await call({ status: 404 }, { path: '/no-such-verb?token=a-secret' })
    expect(reason).toMatch(
      /^present \(GET http:\/\/[^ ?]+\/no-such-verb\) was answered with HTTP 404/,
    )
  })

  it('reports an HTML page without its tags', async () => {
    const body =
      '<!doctype html>\n<html lang=en>\n<title>500</title>\n<h1>Internal Server Error</h1>'
    const { reason } = await call({ status: 500, body })
    expect(reason).toMatch(/rejection: 500 Internal Server Error$/)
  })

  it('does not follow a redirect', async () => {
    const { requests } = await call({ status: 307, headers: { location: '/elsewhere' } })
    expect(requests.map(({ path }) => path)).toEqual(['/'])
  })
})

describe('what is sent', () => {
  it('values keep their position in an address', async () => {
    const link = 'openid4vp://?a=b&c=/../d#e'
    const { requests } = await call(
      { status: 200 },
      { path: '/x?link={link}&y=1', values: { link } },
    )
    const { method, path } = requests[0] ?? {}
    expect(method).toBe('GET')
    const { searchParams } = new URL(path ?? '', 'http://x')
    expect(Object.fromEntries(searchParams)).toEqual({ link, y: '1' })
  })

  it('JSON without the members that have no value', async () => {
    const { requests } = await call(
      { status: 200 },
      { json: { link: '{link}', pin: '{pin}', deep: ['{pin}', 1] }, values: { link: 'a"b' } },
    )
    expect(requests[0]).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"link":"a\\"b","deep":[1]}',
    })
  })

  it('a form', async () => {
    const { requests } = await call(
      { status: 200 },
      { method: 'PUT', form: { link: '{link}', pin: '{pin}' }, values: { link: 'a&b' } },
    )
    expect(requests[0]).toMatchObject({ method: 'PUT', body: 'link=a%26b' })
  })

  it('a link that carries a placeholder is not filled in again', async () => {
    const { requests } = await call(
      { status: 200 },
      { json: { link: '{link}' }, values: { link: '{pin}', pin: '1234' } },
    )
    expect(requests[0]?.body).toBe('{"link":"{pin}"}')
  })
})

const values = { link: 'openid4vp://?a=1&b=2', seconds: 301, pin: undefined }

describe('placeholders', () => {
  it('are replaced by strings and numbers', () => {
    expect(fillText('{seconds} s', values)).toBe('301 s')
    expect(fillText('{pin}', values)).toBeUndefined()
    expect(fillUrl('http://127.0.0.1/?link={link}', values)).toBe(
      'http://127.0.0.1/?link=openid4vp%3A%2F%2F%3Fa%3D1%26b%3D2',
    )
  })

  it('keep numbers in JSON if they are the whole value, and omit what has no value', () => {
    expect(
      fillJson(
        { advance_seconds: '{seconds}', evidence: 'in {seconds} s', pin: '{pin}', omit: ['{pin}'] },
        values,
      ),
    ).toEqual({ advance_seconds: 301, evidence: 'in 301 s', omit: [] })
  })

  it('remove the option before them in command lines if they have no value', () => {
    expect(fillWords(['accept', '{link}', '--pin', '{pin}', '-v'], values)).toEqual([
      'accept',
      values.link,
      '-v',
    ])
  })
})

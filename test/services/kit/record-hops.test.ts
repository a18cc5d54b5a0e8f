import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '#kit/create-app.ts'
import { defineRoute } from '#kit/define-route.ts'
import { recordVerdicts } from '#kit/record-hops.ts'
import type { Service } from '#kit/runtime.ts'
import type { Hop } from '#kit/traces.ts'
import { createTestRuntime, type RunningService, startService } from '#test/support/services.ts'

const token = `eyJhbGciOiJFUzI1NksifQ.eyJpc3MiOiJqb2UifQ.${'s'.repeat(86)}`

const judge = defineRoute<object>()({
  method: 'get',
  path: '/judge',
  summary: 'Judges',
  auth: 'none',
  responses: { 200: { description: 'Judged' } },
  errors: [],
  async handle() {
    await Promise.resolve()
    recordVerdicts({
      checked: [
        { rule: 'trust.root', statement: 'It ends at the root.', passed: true, notes: ['late'] },
        { rule: 'trust.period', path: 'hops[1]', passed: true },
        { rule: 'trust.period', path: 'hops[2]', passed: false },
        { rule: 'vp.nonce', path: '', passed: false, fix: 'Copy nonce from the request.' },
      ],
      failures: [
        { rule: 'trust.period', path: 'hops[2].exp', reason: 'it is over', got: 5 },
        { rule: 'trust.period', path: 'hops[20].exp', reason: 'of another one' },
        { rule: 'vp.nonce', path: 'nonce', reason: `found ${token}` },
      ],
    })
    return { status: 200, body: {} }
  },
})

const idle = defineRoute<object>()({
  method: 'get',
  path: '/idle',
  summary: 'Evaluates no rules',
  auth: 'none',
  responses: { 200: { description: 'Nothing' } },
  errors: [],
  handle: () => ({ status: 200, body: {} }),
})

const hops: Omit<Hop, 'id'>[] = []
let system: RunningService<Service>

beforeAll(async () => {
  const traces = {
    enabled: true,
    record: (describe: () => Omit<Hop, 'id'>) => void hops.push(describe()),
  }
  const runtime = { ...createTestRuntime(), traces }
  system = await startService(async (baseUrl) => ({
    app: createApp({
      name: 'judge',
      title: 'Judge',
      version: '1.0.0',
      description: 'Judges.',
      baseUrl,
      runtime,
      dependencies: {},
      routes: [judge, idle],
    }),
    close: async () => {},
  }))
})
afterAll(() => system.stop())

const hopOf = (path: string) => hops.find(({ url }) => url === path)

describe('recordVerdicts', () => {
  it('records each rule on the hop of its request, with its own reasons', async () => {
    await fetch(`${system.baseUrl}/judge`)
    await expect.poll(() => hopOf('/judge')).toBeDefined()
    expect(hopOf('/judge')?.rules).toEqual([
      { rule: 'trust.root', statement: 'It ends at the root.', passed: true, notes: ['late'] },
      { rule: 'trust.period', path: 'hops[1]', passed: true },
      {
        rule: 'trust.period',
        path: 'hops[2]',
        passed: false,
        reasons: ['it is over; found 5 (hops[2].exp)'],
      },
      {
        rule: 'vp.nonce',
        passed: false,
        reasons: [expect.stringMatching(/^found eyJ/)],
        fix: 'Copy nonce from the request.',
      },
    ])
  })

  it('contains no values that a reader could use', () => {
    expect(JSON.stringify(hopOf('/judge'))).not.toContain('ssss')
  })

  it('adds nothing to the hop of a request that was not evaluated', async () => {
    await fetch(`${system.baseUrl}/idle`)
    await expect.poll(() => hopOf('/idle')).toBeDefined()
    expect(hopOf('/idle')).not.toHaveProperty('rules')
  })
})

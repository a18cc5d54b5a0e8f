import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpClient } from '#kit/create-http-client.ts'
import { openDatabase } from '#kit/database.ts'
import { refuseCutWork } from '#kit/request-context.ts'
import { listenForTest } from '#test/support/servers.ts'
import { createTestRuntime } from '#test/support/services.ts'
import {
  createGate,
  createKeeperRegistry,
  createProcessState,
} from '#testbed/process/process-state.ts'

/** A server behind a gate, with the requests that have reached its handler. */
async function startGated(handle: RequestListener) {
  const gate = createGate(({ headers }) => headers['user-agent'] === 'inside')
  const keepers = createKeeperRegistry()
  const reached: string[] = []
  const server = createServer(
    gate.guard((request, response) => {
      reached.push(request.url ?? '')
      handle(request, response)
    }),
  )
  const origin = await listenForTest(server)
  const get = (path: string, agent = 'outside') =>
    fetch(`${origin}${path}`, { headers: { 'user-agent': agent } })
  return { gate, keepers, reached, get, state: createProcessState(gate, keepers) }
}

const forever = 60_000

describe('the state of a process', () => {
  it('is frozen once the requests in progress have ended, including their calls to other services', async () => {
    const go = Promise.withResolvers<void>()
    const { state, reached, get } = await startGated(async (request, response) => {
      if (request.url === '/slow') {
        await go.promise
        // Another service asks on its behalf, and is accepted.
        response.end(await (await get('/inner', 'inside')).text())
      } else {
        response.end('answered')
      }
    })
    const slow = get('/slow')
    await expect.poll(() => reached).toEqual(['/slow'])
    let isHeld = false
    const held = state.hold(forever).then(() => {
      isHeld = true
    })
    const late = get('/late')
    expect(isHeld).toBe(false)
    go.resolve()
    expect(await (await slow).text()).toBe('answered')
    await held
    expect(reached).toEqual(['/slow', '/inner'])
    await state.release()
    expect(await (await late).text()).toBe('answered')
  })

  it('waits for work that no request waits for', async () => {
    const { state, keepers } = await startGated(() => {})
    const work = Promise.withResolvers<void>()
    let isHeld = false
    keepers.add({ settled: () => work.promise })
    const held = state.hold(forever).then(() => {
      isHeld = true
    })
    await Promise.resolve()
    expect(isHeld).toBe(false)
    work.resolve()
    await held
  })

  it('does not wait for event streams, and does not close them', async () => {
    const { state, get } = await startGated((_request, response) => {
      response.setHeader('content-type', 'text/event-stream')
      response.write(': hello\n\n')
    })
    const stream = await get('/stream')
    await state.hold(forever)
    await state.save('a')
    await state.restore('a')
    await state.release()
    const reader = stream.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('hello')
    await reader?.cancel()
  })

  it.each([
    ['/hanging', 'closed'],
    ['/answered', 'answered'],
  ])('waits no longer than the limit, and aborts %s', async (path, end) => {
    const runtime = createTestRuntime()
    const database = await openDatabase<{ things: { id: number } }>({
      url: 'sqlite::memory:',
      service: 'test',
      migrations: {
        '1': { up: (db) => db.schema.createTable('things').addColumn('id', 'integer').execute() },
      },
      runtime,
    })
    onTestFinished(() => database.destroy())
    const client = createHttpClient(runtime, {
      caller: 'test',
      dependency: 'nobody',
      baseUrl: 'http://127.0.0.1:9',
    })
    const codeOf = (error: { code?: string; cause?: { code?: string } }) =>
      error.cause?.code ?? error.code
    const go = Promise.withResolvers<void>()
    const outcome = Promise.withResolvers<unknown[]>()
    const { state, get, reached } = await startGated(async (request, response) => {
      if (request.url === '/answered') response.end()
      await go.promise
      outcome.resolve([
        await database.insertInto('things').values({ id: 1 }).execute().catch(codeOf),
        await client.request('/').catch(codeOf),
      ])
    })
    const asked = get(path).then(
      () => 'answered',
      () => 'closed',
    )
    await expect.poll(() => reached).toEqual([path])
    await state.hold(10)
    await state.save('a')
    await state.restore('a')
    await state.release()
    expect(await asked).toBe(end)
    go.resolve()
    expect(await outcome.promise).toEqual(['cut_off', 'cut_off'])
    expect(await database.selectFrom('things').selectAll().execute()).toEqual([])
    // Others are served as before.
    expect(() => refuseCutWork()).not.toThrow()
  })

  it('restores the state saved under a name, until it is dropped', async () => {
    const { state, keepers } = await startGated(() => {})
    let value = 1
    keepers.add({
      save() {
        const before = value
        return {
          restore() {
            value = before
          },
        }
      },
    })
    await state.save('one')
    value = 2
    await state.save('two')
    value = 3
    await state.restore('one')
    expect(value).toBe(1)
    await state.restore('two')
    expect(value).toBe(2)
    await state.forget('one')
    await state.restore('one')
    expect(value).toBe(2)
  })
})

import { getEventListeners } from 'node:events'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEventStream, untilClosed } from '#kit/event-stream.ts'
import { requestInTurn } from '#test/support/servers.ts'
import { type RunningService, startService } from '#test/support/services.ts'

describe('a stream of events', () => {
  const stopping = new AbortController()
  const listeners = () => getEventListeners(stopping.signal, 'abort').length
  let ended = 0
  let system: RunningService
  beforeAll(async () => {
    system = await startService(async () => ({
      app: express()
        .get('/events', async (_request, response) => {
          openEventStream(response)
          response.write('data: 1\n\n')
          await untilClosed(response, stopping.signal)
          response.end()
          ended += 1
        })
        .get('/health', (_request, response) => {
          response.end()
        }),
      close: async () => {},
    }))
  })
  afterAll(() => system.stop())

  it('ends with its headers if the request is HEAD', async () => {
    const requests = [
      { method: 'HEAD', path: '/events' },
      { method: 'GET', path: '/health' },
    ]
    expect(await requestInTurn(system.baseUrl, requests)).toEqual([200, 200])
  })

  it('leaves no listener behind when its reader leaves', async () => {
    const before = ended
    const reader = new AbortController()
    const { headers } = await fetch(`${system.baseUrl}/events`, { signal: reader.signal })
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(listeners()).toBe(1)
    reader.abort()
    await expect.poll(() => ended).toBe(before + 1)
    expect(listeners()).toBe(0)
  })

  it('ends when the server stops', async () => {
    const response = await fetch(`${system.baseUrl}/events`)
    stopping.abort()
    expect(await response.text()).toBe('data: 1\n\n')
    expect(await (await fetch(`${system.baseUrl}/events`)).text()).toBe('data: 1\n\n')
  })
})

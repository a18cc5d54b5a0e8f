import { getEventListeners, once } from 'node:events'
import { connect } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openEventStream, untilClosed, writeEvent } from '#kit/event-stream.ts'
import { requestInTurn } from '#test/support/servers.ts'
import { type RunningService, startService } from '#test/support/services.ts'

describe('a stream of events', () => {
  const stopping = new AbortController()
  const listeners = () => getEventListeners(stopping.signal, 'abort').length
  let ended = 0
  const event = `data: ${'x'.repeat(100_000)}\n\n`
  // More than the system keeps for a reader.
  const mostEvents = 1000
  let written = 0
  let isWriting = false
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
        .get('/many', async ({ url }, response) => {
          openEventStream(response)
          isWriting = true
          for (written = 0; written < mostEvents && !response.destroyed; written += 1) {
            writeEvent(response, event)
            if (url === '/many') while (response.writableNeedDrain) await once(response, 'drain')
          }
          isWriting = false
          response.end()
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

  it('ends if its reader leaves a megabyte unread, and only then', async () => {
    const reading = await fetch(`${system.baseUrl}/many`)
    expect(await reading.text()).toHaveLength(mostEvents * event.length)
    expect(written).toBe(mostEvents)

    const { hostname, port } = new URL(system.baseUrl)
    const silent = connect(Number(port), hostname).pause()
    onTestFinished(() => void silent.destroy())
    silent.write(`GET /many?blindly HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    await expect.poll(() => written).toBeLessThan(mostEvents)
    await expect.poll(() => isWriting).toBe(false)
    expect(written).toBeLessThan(mostEvents)
  })

  it('ends when the server stops', async () => {
    const response = await fetch(`${system.baseUrl}/events`)
    stopping.abort()
    expect(await response.text()).toBe('data: 1\n\n')
    expect(await (await fetch(`${system.baseUrl}/events`)).text()).toBe('data: 1\n\n')
  })
})

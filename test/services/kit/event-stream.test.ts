import { EventEmitter, getEventListeners } from 'node:events'
import { connect } from 'node:net'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sendEvents } from '#kit/event-stream.ts'
import { requestInTurn } from '#test/support/servers.ts'
import { type RunningService, startService } from '#test/support/services.ts'

describe('a stream of events', () => {
  const stopping = new AbortController()
  const source = new EventEmitter()
  const subscribe = (notify: () => void) => {
    source.on('news', notify)
    return () => void source.off('news', notify)
  }
  const listeners = () =>
    getEventListeners(stopping.signal, 'abort').length + source.listenerCount('news')
  const event = `data: ${'x'.repeat(100_000)}\n\n`
  // More than the system keeps for a reader.
  const mostEvents = 1000
  let news: string[] = []
  let read = 0
  let system: RunningService
  beforeAll(async () => {
    system = await startService(async () => ({
      app: express()
        .get('/events', (_request, response) =>
          sendEvents(response, {
            stopping: stopping.signal,
            opening: 'data: 1\n\n',
            subscribe,
            read: () => news.splice(0),
          }),
        )
        .get('/many', (_request, response) => {
          const over = new AbortController()
          return sendEvents(response, {
            stopping: AbortSignal.any([stopping.signal, over.signal]),
            subscribe,
            *read() {
              for (read = 0; read < mostEvents; read += 1) yield event
              over.abort()
            },
          })
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
    expect(listeners()).toBe(0)
  })

  it('sends what is new, and leaves no listener behind when its reader leaves', async () => {
    const reader = new AbortController()
    const { headers, body } = await fetch(`${system.baseUrl}/events`, { signal: reader.signal })
    expect(headers.get('content-type')).toBe('text/event-stream')
    const chunks = body?.pipeThrough(new TextDecoderStream()).getReader()
    expect(await chunks?.read()).toEqual({ done: false, value: 'data: 1\n\n' })
    for (const text of ['data: 2\n\n', 'data: 3\n\n']) {
      news = [text]
      source.emit('news')
      expect(await chunks?.read()).toEqual({ done: false, value: text })
    }
    expect(listeners()).toBe(2)
    reader.abort()
    await expect.poll(listeners).toBe(0)
  })

  it('sends everything to a reader who reads, and nothing more to one who does not', async () => {
    const reading = await fetch(`${system.baseUrl}/many`)
    expect(await reading.text()).toHaveLength(mostEvents * event.length)
    expect(read).toBe(mostEvents)

    const { hostname, port } = new URL(system.baseUrl)
    const silent = connect(Number(port), hostname).pause()
    onTestFinished(() => void silent.destroy())
    silent.write(`GET /many HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    await expect.poll(() => read).toBeLessThan(mostEvents)
    const health = { method: 'GET', path: '/health' }
    // The server has had time to read ahead.
    await requestInTurn(
      system.baseUrl,
      Array.from({ length: 50 }, () => health),
    )
    expect(read).toBeLessThan(mostEvents)
    silent.destroy()
    await expect.poll(listeners).toBe(0)
  })

  it('ends when the server stops', async () => {
    const response = await fetch(`${system.baseUrl}/events`)
    stopping.abort()
    expect(await response.text()).toBe('data: 1\n\n')
    expect(await (await fetch(`${system.baseUrl}/events`)).text()).toBe('data: 1\n\n')
  })
})

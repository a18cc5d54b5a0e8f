import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { createPublicUrl, findPortOwner, listen } from '#testbed/process/listen.ts'
import { isPortUsable, portOfEnvironmentPart, portOfPart } from '#testbed/process/ports.ts'

describe('ports', () => {
  it('are those of the documentation for the default base', () => {
    expect(portOfPart(4000, 'console')).toBe(4000)
    expect(portOfEnvironmentPart(4000, 'pre', 'chain')).toBe(4001)
    expect(portOfEnvironmentPart(4000, 'pre', 'token-issuer')).toBe(4010)
    expect(portOfEnvironmentPart(4000, 'pro', 'chain')).toBe(4031)
    expect(portOfPart(4000, 'smtp')).toBe(4025)
    expect(portOfPart(4000, 'mail')).toBe(4026)
  })

  it('are free ports for base 0', () => {
    expect(portOfPart(0, 'console')).toBe(0)
    expect(portOfEnvironmentPart(0, 'pro', 'idp')).toBe(0)
  })

  it.each([4015, 4020, 4040, 4045, 4160, 4190, 5040, 6640])(
    'are distinct and accepted by fetch, from base %i',
    async (base) => {
      const parts = ['chain', 'did-registry', 'tir', 'api-keys', 'management', 'connector'] as const
      const more = ['issuer', 'verifier', 'idp', 'token-issuer'] as const
      const ports = [
        portOfPart(base, 'console'),
        portOfPart(base, 'smtp'),
        portOfPart(base, 'mail'),
        ...[...parts, ...more].flatMap((part) => [
          portOfEnvironmentPart(base, 'pre', part),
          portOfEnvironmentPart(base, 'pro', part),
        ]),
      ]
      expect(new Set(ports).size).toBe(ports.length)
      expect(ports.filter((port) => !isPortUsable(port))).toEqual([])
    },
  )

  it.each([4045, 4190, 6000, 6666, 10080])('exclude %i, which fetch rejects', async (port) => {
    expect(isPortUsable(port)).toBe(false)
    const error = await fetch(`http://127.0.0.1:${port}`).catch((thrown: Error) => thrown)
    expect(String((error as Error).cause)).toMatch(/bad port/)
  })
})

describe('a listener', () => {
  it.runIf(process.platform === 'linux').each([
    [['./hold.cjs', '--token', 'hidden', '-phidden', 'hidden'], 'node ./hold.cjs'],
    [['-e', "require('./hold.cjs')", 'hidden'], 'node'],
    [['--require', './hold.cjs', './empty.cjs', 'hidden'], 'node'],
  ])(
    'shows the program and the script that hold a port, but no secrets: %j',
    async (args, shown) => {
      const folder = createTemporaryFolder()
      const program =
        "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
      writeFileSync(join(folder, 'hold.cjs'), program)
      writeFileSync(join(folder, 'empty.cjs'), '')
      const holder = spawn(process.execPath, args, { cwd: folder })
      onTestFinished(() => void holder.kill())
      const [port] = await once(holder.stdout, 'data')
      expect(findPortOwner(Number(port))?.command).toBe(shown)
    },
  )

  it('gets its port at startup, before any server that uses it later', async () => {
    const listener = await listen('127.0.0.1', 0, 'a test')
    onTestFinished(() => listener.close())
    const url = `http://127.0.0.1:${listener.port}`
    expect((await fetch(url)).status).toBe(503)
    listener.serve((_request, response) => response.end('here'))
    expect(await (await fetch(url)).text()).toBe('here')
    await Promise.all([listener.close(), listener.close()])
    await expect(fetch(url)).rejects.toThrow()
  })

  it('names the port that is in use, its purpose, and the process that holds it', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const error = await listen('127.0.0.1', port, 'a test').catch((thrown: unknown) => thrown)
    expect(isTestbedError(error) && error.code).toBe('port_taken')
    expect(isTestbedError(error) && error.hints.join()).toContain('--port-base N')
    expect(String(error)).toContain(`Port ${port} for a test`)
    if (process.platform === 'linux') expect(String(error)).toContain(`process ${process.pid}`)
  })

  it('closes connections that would keep it open', async () => {
    const listener = await listen('127.0.0.1', 0, 'a test')
    listener.serve((_request, response) => void response.write('never ending'))
    const response = await fetch(`http://127.0.0.1:${listener.port}`)
    await listener.close()
    await expect(response.text()).rejects.toThrow()
  })
})

describe('public addresses', () => {
  it('are those of this machine by default', () => {
    expect(createPublicUrl('127.0.0.1', undefined)(4007)).toBe('http://127.0.0.1:4007')
    expect(createPublicUrl('0.0.0.0', undefined)(4007)).toBe('http://127.0.0.1:4007')
    expect(createPublicUrl('::', undefined)(4007)).toBe('http://[::1]:4007')
    expect(createPublicUrl('192.168.1.20', undefined)(4007)).toBe('http://192.168.1.20:4007')
  })

  it('have the given scheme and host, and the port of each service', () => {
    const publicUrl = createPublicUrl('0.0.0.0', 'https://demo.example')
    expect(publicUrl(4007)).toBe('https://demo.example:4007')
    expect(createPublicUrl('0.0.0.0', 'http://10.0.0.5/')(4009)).toBe('http://10.0.0.5:4009')
    expect(createPublicUrl('::', 'http://[fd00::5]')(4009)).toBe('http://[fd00::5]:4009')
  })

  it.each([
    'demo.example',
    'ftp://x',
    'http://x/path',
    'http://x?y',
    'http://me:secret@x',
    'http://x:9',
    'https://x:443/',
    '',
  ])('cannot be created from %j', (given) => {
    let thrown: unknown
    try {
      createPublicUrl('0.0.0.0', given)
    } catch (error) {
      thrown = error
    }
    expect(isTestbedError(thrown) && thrown.code).toBe('invalid_option')
  })
})

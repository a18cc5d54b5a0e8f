import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { findOpener, openBrowser } from '#testbed/command-line/open-console.ts'

it.each([
  ['on Linux with X', 'linux', { DISPLAY: ':0' }, 'xdg-open'],
  ['on Linux with Wayland', 'linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
  ['on Linux without a desktop', 'linux', {}, undefined],
  ['on macOS', 'darwin', {}, 'open'],
  ['on Windows', 'win32', {}, 'rundll32'],
  ['in CI', 'darwin', { CI: 'true' }, undefined],
  ['over SSH', 'linux', { DISPLAY: ':0', SSH_CONNECTION: '10.0.0.1 22' }, undefined],
] as const)('finds the program that opens a browser %s', (_, platform, environment, program) => {
  expect(findOpener({ platform, environment })?.[0]).toBe(program)
})

const desktop = { platform: 'linux', environment: { DISPLAY: ':0' } } as const

it('passes the address as one argument, which no shell interprets', async () => {
  const folder = createTemporaryFolder()
  // In place of the desktop's program, which opens the browser.
  const program = join(folder, 'xdg-open')
  const opened = join(folder, 'opened')
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > ${opened}.part\nmv ${opened}.part ${opened}\n`,
  )
  chmodSync(program, 0o755)
  const before = process.env.PATH
  process.env.PATH = [folder, before].join(delimiter)
  onTestFinished(() => {
    process.env.PATH = before
  })
  const url = 'http://127.0.0.1:4000/open?code=a&to=%2Ftour;$(id)'
  expect(await openBrowser(url, desktop)).toBe(true)
  await expect.poll(() => existsSync(opened)).toBe(true)
  expect(readFileSync(opened, 'utf8')).toBe(`1\n${url}\n`)
})

it('opens nothing if the desktop has no such program', async () => {
  const before = process.env.PATH
  process.env.PATH = createTemporaryFolder()
  onTestFinished(() => {
    process.env.PATH = before
  })
  expect(await openBrowser('http://127.0.0.1:4000/', desktop)).toBe(false)
})

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findInstalledBrowser } from '#scenarios/harness/find-installed-browser.ts'

describe('findInstalledBrowser', () => {
  it('finds what is executable, in the folders given first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'browsers-'))
    const browser = join(folder, 'chromium')
    await writeFile(browser, '#!/bin/sh\n', { mode: 0o600 })
    expect(await findInstalledBrowser({ path: folder })).not.toBe(browser)
    await chmod(browser, 0o700)
    expect(await findInstalledBrowser({ path: `/nowhere:${folder}` })).toBe(browser)
    await rm(folder, { recursive: true })
  })
})

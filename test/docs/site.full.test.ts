import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import express from 'express'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { root } from '#test/support/repository.ts'
import { closeServer, listenOn } from '#test/support/servers.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'
import { serveDocumentation } from '#testbed/console/frame/documentation.ts'
import { buildSite } from '../../scripts/documentation/build-site.ts'
import { takePictures } from '../../scripts/documentation/take-pictures.ts'
import { createPages } from '../../scripts/profile/examples/create-pages.ts'

describe('the documentation site', () => {
  const server = createServer()
  let site: string
  let address: string
  let browser: Browser

  beforeAll(async () => {
    site = await buildSite(root)
    server.on('request', express().use(serveDocumentation({ folder: site, start: '' })))
    address = `${await listenOn(server)}/docs`
    browser = await launchBrowser({ executablePath: process.env.PUPPETEER_EXECUTABLE_PATH })
  }, 600_000)

  afterAll(async () => {
    await browser.close()
    await closeServer(server)
  })

  /** Opens a page, and collects what the browser blocks or cannot load. */
  async function open(path: string): Promise<{ page: Page; problems: string[] }> {
    const page = await browser.newPage()
    await page.setViewport({ width: 1280, height: 900 })
    const problems: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('requestfailed', (request) => problems.push(request.url()))
    page.on('request', (request) => {
      const isLocal = request.url().startsWith(address) || request.url().startsWith('data:')
      if (!isLocal) problems.push(`loads ${request.url()}`)
    })
    await page.goto(`${address}${path}`, { waitUntil: 'networkidle0' })
    return { page, problems }
  }

  it.each([
    '/',
    '/quick-start',
    '/concepts/journeys',
    '/guides/test-my-wallet',
    '/reference/command-line',
    '/reference/conformance-checks',
    '/checks/W04',
    '/rules/credential/power',
  ])('shows %s without breaking its Content-Security-Policy', async (path) => {
    const { page, problems } = await open(path)
    expect(await page.$eval('h1', ({ textContent }) => textContent)).toBeTruthy()
    const pictures = await page.evaluate(
      "[...document.querySelectorAll('img.diagram')].filter((each) => each.naturalWidth === 0).length",
    )
    expect(pictures).toBe(0)
    expect(problems).toEqual([])
    await page.close()
  })

  it('shows a page with its styles from the file, to which reports link', async () => {
    const page = await browser.newPage()
    await page.goto(pathToFileURL(join(site, 'profile/connector.html')).href)
    const position = "getComputedStyle(document.querySelector('.VPSidebar')).position"
    expect(await page.evaluate(position)).toBe('fixed')
    await page.close()
  })

  it('has links between the files of its pages', async () => {
    const page = await browser.newPage()
    for (const path of ['index', 'profile/connector', 'checks/W04']) {
      await page.goto(pathToFileURL(join(site, `${path}.html`)).href)
      const links = await page.$$eval('a', (found) => found.map(({ href }) => href))
      const files = links.filter((link) => link.startsWith('file:')).map((link) => new URL(link))
      expect(files).not.toEqual([])
      const dead = files.filter((url) => !statSync(url, { throwIfNoEntry: false })?.isFile())
      expect(dead.map(String)).toEqual([])
    }
    await page.close()
  })

  it('allows only inline scripts and styles listed by their hashes', async () => {
    const response = await fetch(`${address}/`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/=]+')+;/)
    expect(policy).toContain("style-src 'self';")
    expect(policy).not.toContain('unsafe')
    for (const path of globSync('**/*.html', { cwd: site })) {
      expect(readFileSync(join(site, path), 'utf8')).not.toMatch(/<[a-z][^<>]* style="|<style/)
    }
  })

  it.each([
    '/assumptions',
    '/profile/did-registry',
    '/reference/foreign-systems/',
    '/reference/foreign-systems/keycloak',
    '/reference/rules',
    '/reference/wallet-faults',
  ])('shows the tables of %s on phones and small tablets as lists', async (path) => {
    const { page } = await open(path)
    for (const width of [800, 390]) {
      await page.setViewport({ width, height: 800 })
      const tables = await page.$$eval('.vp-doc table', (found) =>
        found.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      )
      expect(tables.filter((hidden) => hidden > 0)).toEqual([])
    }
    const cell = "document.querySelector('.vp-doc .labelled td:nth-child(2)')"
    const shown = await page.evaluate(`getComputedStyle(${cell}, '::before').content`)
    const name = await page.evaluate(
      `${cell}.closest('table').querySelector('th:nth-child(2)').textContent`,
    )
    expect(shown).toBe(JSON.stringify(name))
    await page.close()
  })

  it('finds a page by full-text search, also in the dark theme', async () => {
    const { page, problems } = await open('/')
    await page.click('.VPNavBarAppearance button')
    await page.waitForSelector('html.dark')
    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await page.waitForSelector('#localsearch-input')
    await page.type('#localsearch-input', 'credential.power')
    await page.waitForSelector('.VPLocalSearchBox .result')
    const links = await page.$$eval('.VPLocalSearchBox .result', (results) =>
      results.map((result) => result.getAttribute('href')),
    )
    expect(links.filter((link) => link?.startsWith('/docs/rules/credential/power'))).not.toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  it('does not show the comments in the Markdown', () => {
    const pages = globSync('{profile,reference}/**/*.html', { cwd: site })
    expect(pages.length).toBeGreaterThan(20)
    const shown = pages.filter((page) => readFileSync(join(site, page), 'utf8').includes('&lt;!--'))
    expect(shown).toEqual([])
  })

  it('has no broken link', () => {
    const html = new Map(
      globSync('**/*.html', { cwd: site }).map((path) => [
        `/docs/${path.replace(/\.html$/, '').replace(/(^|\/)index$/, '$1')}`,
        readFileSync(join(site, path), 'utf8'),
      ]),
    )
    const broken = [...html].flatMap(([from, page]) =>
      [...page.matchAll(/<a\b[^>]* href="([^"]+)"/g)]
        .map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), `http://site${from}`))
        .filter(({ host }) => host === 'site')
        .filter(({ pathname, hash }) => {
          const target = html.get(pathname)
          if (target === undefined) return !existsSync(join(site, pathname.replace('/docs', '')))
          const id = decodeURIComponent(hash.slice(1))
          return id !== '' && !target.includes(` id="${id}"`)
        })
        .map(({ pathname, hash }) => `${from} -> ${pathname}${hash}`),
    )
    expect(html.size).toBeGreaterThan(600)
    expect([...new Set(broken)]).toEqual([])
  })

  it('has each page as Markdown, and a list of them for programs', async () => {
    const read = async (path: string) => await (await fetch(`${address}/${path}`)).text()
    const linked = [
      ...(await read('llms.txt')).matchAll(/\]\(\/docs\/([^)]+\.md)\)/g),
      ...(await read('reference/conformance-checks.md')).matchAll(/\]\(\/(checks\/[^)]+\.md)\)/g),
      ...(await read('reference/rules.md')).matchAll(/\]\(\/(rules\/[^)]+\.md)\)/g),
    ]
    const paths = new Set(linked.map(([, path = '']) => path))
    const pages = globSync('**/*.html', { cwd: site }).filter((path) => path !== '404.html')
    expect([...paths].sort()).toEqual(pages.map((path) => path.replace(/\.html$/, '.md')).sort())
    const page = await fetch(`${address}/guides/ci.md`)
    expect(page.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await page.text()).toMatch(/^# /)
  })
})

it('the pictures of the documentation are those that a browser takes', {
  timeout: 480_000,
}, async () => {
  const folder = createTemporaryFolder()
  const taken = await takePictures(folder)
  const kept = globSync('docs/pictures/*.webp', { cwd: root }).map((path) =>
    basename(path, '.webp'),
  )
  expect(taken.toSorted()).toEqual(kept.toSorted())
  // A picture of an empty page has about 8 KB.
  for (const name of taken)
    expect(statSync(join(folder, `${name}.webp`)).size).toBeGreaterThan(12_000)
})

it('each picture is shown on a page', () => {
  const pages = globSync(['README.md', 'docs/**/*.md'], { cwd: root })
  const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  const unused = globSync('docs/pictures/*', { cwd: root }).filter(
    (path) => !text.includes(`pictures/${basename(path)}`),
  )
  expect(unused).toEqual([])
})

it('has the examples of the profile that a new run generates', async () => {
  for (const [file, page] of await createPages(root)) {
    expect(page, file).toBe(readFileSync(join(root, file), 'utf8'))
  }
})

import { expect, it, onTestFinished } from 'vitest'
import { expectAccessible } from '#test/support/accessibility.ts'
import { openConsole, tabTo } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()

it('the menu of a phone opens, leads to a page, and closes with Escape', async () => {
  const { page, visit, textOf, close } = await openConsole(shared)
  onTestFinished(close)
  await page.setViewport({ width: 390, height: 800 })
  const isShown = () => page.$eval('#menu-content', (menu) => menu.checkVisibility())
  await visit('/')
  expect(await isShown()).toBe(false)
  await tabTo(page, '#menu')
  await page.keyboard.press('Enter')
  expect(await isShown()).toBe(true)
  await expectAccessible(page)
  await page.setViewport({ width: 390, height: 800 })
  await tabTo(page, 'nav [href="/inbox"]')
  await page.keyboard.press('Escape')
  expect(await isShown()).toBe(false)
  expect(await page.$('#menu:focus')).not.toBeNull()
  await page.keyboard.press('Enter')
  await tabTo(page, 'nav [href="/inbox"]')
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  expect(await textOf('h1')).toBe('Inbox')
})

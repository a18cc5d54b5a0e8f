import { describe, expect, it } from 'vitest'
import { pageLinks } from '#testbed/console/pages/registries.ts'

const listAt = (page: number) => ({ page, pageSize: 50, total: 120 })
const hrefsOf = (...given: Parameters<typeof pageLinks>) =>
  [...pageLinks(...given).markup.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)

describe('the links between pages', () => {
  it('lead to the page before and the one after, and the other list stays where it is', () => {
    expect(hrefsOf('events', listAt(2), { issuers: listAt(3) })).toEqual([
      '?issuers=3&amp;events=1',
      '?issuers=3&amp;events=3',
    ])
  })

  it.each([
    ['the first page', 1, ['?events=2']],
    ['the last page', 3, ['?events=2']],
    ['a page after the last', 9, ['?events=3']],
  ])('of %s lead to what there is', (_, page, hrefs) => {
    expect(hrefsOf('events', listAt(page))).toEqual(hrefs)
  })
})

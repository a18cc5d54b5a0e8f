import { expect, it } from 'vitest'
import { html } from '#core/html/html.ts'
import { page } from '#kit/page.ts'

const options = { title: 'A page', stylesheet: '/style.css', body: html`<p>Text</p>` }
const imagesOf = ({ headers }: ReturnType<typeof page>) =>
  headers['content-security-policy']?.split('; ').filter((each) => each.startsWith('img-src'))

it('a page names an icon that its policy allows, so that browsers do not request one', () => {
  const plain = page(options)
  expect(plain.body).toContain('<link rel="icon" href="data:,">')
  expect(imagesOf(plain)).toEqual(['img-src data:'])
  expect(imagesOf(page({ ...options, images: ["'self'"] }))).toEqual(["img-src data: 'self'"])
})

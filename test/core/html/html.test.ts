import { describe, expect, it } from 'vitest'
import { html, trustedHtml } from '#core/html/html.ts'

describe('html', () => {
  it('escapes inserted values in text and attributes', () => {
    const name = `"><script>alert('&')</script>`
    expect(html`<p title="${name}">${name}</p>`.markup).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>',
    )
  })

  it('keeps its own markup and joins lists', () => {
    const items = ['<a>', '<b>'].map((name) => html`<li>${name}</li>`)
    expect(html`<ul>${items}</ul>`.markup).toBe('<ul><li>&lt;a&gt;</li><li>&lt;b&gt;</li></ul>')
    expect(html`${trustedHtml('<hr>')}`.markup).toBe('<hr>')
  })

  it('prints nothing for a missing value and prints zero', () => {
    expect(html`<p>${undefined}${null}${false}${true}${0}</p>`.markup).toBe('<p>0</p>')
  })

  it('replaces only characters that are not allowed in XML', () => {
    expect(html`${'a\u0000b\u001bc\ud800d\ufffee'}`.markup).toBe('a\ufffdb\ufffdc\ufffdd\ufffde')
    expect(html`${'\t\n\r\u{1f511}ñ'}`.markup).toBe('\t\n\r\u{1f511}ñ')
  })
})

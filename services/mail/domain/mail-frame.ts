import type { MailImage, ReadMail } from './read-mail.ts'

/** The style of the frame. Styles in the markup of an email do not apply, and it expects a white page. */
export const mailFrameStyle = `html { color-scheme: light; background: #fff }
body {
  margin: 1.25rem; color: #182136; overflow-wrap: anywhere;
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
img { max-width: 100%; height: auto }
`

/** Where the page with the frame serves `mailFrameStyle`. */
export const mailFrameStylesheet = '/assets/mail-frame.css'

const policy = "default-src 'none'; img-src data:; style-src 'self'"
const head = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><link rel="stylesheet" href="${mailFrameStylesheet}">`

/**
 * The document of the frame that shows an email: for `<iframe sandbox="" srcdoc="…">` only, because
 * the markup is that of the sender. The policy precedes the markup, which therefore cannot relax it:
 * no scripts, no addresses, no styles. Undefined if the email has no markup.
 */
export function createMailFrame({
  html,
  images,
}: Pick<ReadMail, 'html' | 'images'>): string | undefined {
  return html === undefined ? undefined : `${head}${inlineImages(html, images)}`
}

/**
 * Inlines each image only at its first reference, so that a page is not much larger than its email.
 */
function inlineImages(markup: string, images: ReadonlyMap<string, MailImage>): string {
  const left = new Map(images)
  return markup.replace(/cid:([^"'\s>)]+)/g, (whole, contentId: string) => {
    const image = left.get(contentId)
    if (image === undefined) return whole
    left.delete(contentId)
    return `data:${image.mediaType};base64,${image.base64}`
  })
}

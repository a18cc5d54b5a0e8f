// A task for a person in a run: QR code, answers, note and screenshot.
import { fill } from './kit.js'
import { html } from './lit-html/lit-html.js'

const longestSide = 1600
const smallEnough = 512 * 1024

function base64Of(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}

/** Reads an image, scaled down if it is large: the reports of a run contain every screenshot. */
async function readImage(file) {
  const bitmap = await createImageBitmap(file)
  const { width, height } = bitmap
  const scale = Math.min(1, longestSide / Math.max(width, height))
  const isKnown = file.type === 'image/png' || file.type === 'image/jpeg'
  if (isKnown && scale === 1 && file.size <= smallEnough) return base64Of(file)
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale))
  canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return base64Of(await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 }))
}

/** The state of the answer that a person prepares. */
export const createDraft = () => ({
  question: undefined,
  note: '',
  screenshot: undefined,
  isWrongFile: false,
  isSending: false,
})

/** A new question begins with an empty answer. */
export function startDraft(draft, question) {
  if (draft.question === question) return
  Object.assign(draft, createDraft(), { question })
}

/** Keeps an image of the person with the draft. */
export async function attach(draft, file) {
  const { question } = draft
  const isWrongFile = !file.type.startsWith('image/')
  const screenshot = isWrongFile ? undefined : await readImage(file).catch(() => undefined)
  // Meanwhile the question may have changed.
  if (draft.question !== question) return
  draft.isWrongFile = screenshot === undefined
  draft.screenshot = screenshot ?? draft.screenshot
}

/** The members of a reply to the question. */
export const replyOf = ({ note, screenshot }, did) => ({
  did,
  note: note.trim(),
  ...(screenshot && { screenshot }),
})

const mimeTypeOf = (base64) => (base64.startsWith('/9j/') ? 'image/jpeg' : 'image/png')

const scan = ({ question, code }, texts) => html`<div class="scan">
  ${
    code.image
      ? html`<img src=${code.image} alt=${texts.code} width="400" height="400">`
      : html`<p>${texts.tooLong}</p>`
  }
  ${
    code.isSafe
      ? html`<a class="button small" href=${question.link}>${texts.sameDevice}</a>`
      : html`<code>${question.link}</code>`
  }
</div>`

/** The image of the draft, visible also if it was pasted while the fields are closed. */
const preview = (draft, texts, onChange) =>
  html`<div role="status">${
    draft.screenshot
      ? html`<p class="row"><img class="screenshot" alt=${texts.screenshot}
        src="data:${mimeTypeOf(draft.screenshot)};base64,${draft.screenshot}">
        <button type="button" class="button small" @click=${() => {
          draft.screenshot = undefined
          onChange()
        }}>${texts.removeScreenshot}</button></p>`
      : ''
  }${draft.isWrongFile ? html`<p class="fault">${texts.notAnImage}</p>` : ''}</div>`

const screenshotField = (texts, onFile) => html`<div>
  <label for="screenshot">${texts.screenshot}</label>
  <p class="soft small" id="screenshot-about">${texts.screenshotAbout}</p>
  <input type="file" id="screenshot" accept="image/png,image/jpeg" aria-describedby="screenshot-about"
    @change=${({ target }) => {
      const [file] = target.files
      target.value = ''
      if (file) onFile(file)
    }}>
</div>`

function patience({ timeoutMilliseconds }, texts) {
  const seconds = Math.round(timeoutMilliseconds / 1000)
  return seconds < 120
    ? fill(texts.waitsSeconds, { seconds })
    : fill(texts.waitsMinutes, { minutes: Math.floor(seconds / 60) })
}

const evidence = (draft, { texts, onFile, onChange }) => html`<details>
  <summary>${texts.evidence}</summary>
  <label for="note">${texts.note}</label>
  <p class="soft small" id="note-about">${texts.noteAbout}</p>
  <textarea id="note" rows="2" maxlength="2000" aria-describedby="note-about" .value=${draft.note}
    @input=${({ target }) => {
      draft.note = target.value
    }}></textarea>
  ${screenshotField(texts, onFile)}
</details>
${preview(draft, texts, onChange)}`

/** The task of a question event with the answers of a person. */
export function taskCard(event, draft, { texts, onAnswer, onFile, onChange }) {
  const { question } = event
  const { title, about, answers } = texts.tasks[question.verb]
  const isScan = question.verb !== 'watch'
  return html`<section class="card ask" aria-labelledby="task">
    <div class=${isScan ? 'task' : ''}>
      <div>
        ${isScan ? html`<p class="soft small">${fill(texts.step, question)}</p>` : ''}
        <h2 id="task" tabindex="-1">${title}</h2>
        <p>${about}</p>
        ${question.pin ? html`<p class="pin">${texts.pin} <strong>${question.pin}</strong></p>` : ''}
      </div>
      ${isScan ? scan(event, texts) : ''}
      <div>
        ${evidence(draft, { texts, onFile, onChange })}
        <h3 id="answers">${texts.whatDidItDo}</h3>
        <div class="actions answers" role="group" aria-labelledby="answers">
          ${Object.entries(answers).map(
            ([
              did,
              text,
            ]) => html`<button type="button" class="button ${did === 'skipped' ? 'quiet' : ''}"
              value=${did} ?disabled=${draft.isSending} @click=${() => onAnswer(did)}>${text}</button>`,
          )}
        </div>
        ${isScan ? html`<p class="soft small">${patience(question, texts)}</p>` : ''}
      </div>
    </div>
  </section>`
}

/** Between two tasks. */
export const waitingCard = (texts) => html`<section class="card ask" aria-labelledby="task">
  <h2 id="task" tabindex="-1">${texts.waiting}</h2>
  <p class="soft">${texts.waitingAbout}</p>
</section>`

import { createLog } from '#kit/log.ts'
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { startTestbed } from '#testbed/start-testbed.ts'
import type { Figure, Measurement } from '../harness.ts'

/** Exchanges in the diagram before those that are measured. */
const before = 999
/** Exchanges that are added one at a time, each measured. */
const measured = 50
/** Milliseconds: one frame of a display with 60 frames per second. */
const frame = 16

/** Replaces the stream of the page with a fake, which a script feeds. */
const fakeStream = `
window.EventSource = class extends EventTarget {
  constructor() { super(); window.stream = this }
  close() {}
  feed(type, data) { this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) })) }
}`

/** Feeds exchanges as a busy testbed does: forty to a journey, polls among them. */
const feed = `
const parts = ['browser', 'wallet', 'token-issuer', 'idp', 'verifier', 'issuer', 'connector', 'did-registry', 'tir', 'chain', 'mail']
window.lineOf = (id) => ({
  id, row: id, journey: 1 + Math.floor(id / 40) * 40, at: 1795399538104 + id * 20,
  from: parts[id % 10], to: parts[1 + (id * 7) % 10], kind: 'http',
  label: 'GET /trusted-issuers-registry/v1/issuers/did:org:uc-pre:z1Hu7B3d3DppHbzxzsjrYDupDLot/attributes/' + id,
  status: id % 17 === 0 ? 404 : 200, milliseconds: 12.3, rules: 0, broken: 0,
})
window.journeyOf = ({ journey: id }) => ({ id, kind: 'login', outcome: 'done', count: 40, at: 1795399538104, name: 'Login at Relying party' })
window.feedLines = (lines) => stream.feed('exchanges', { lines, journeys: lines.map(journeyOf), absorbed: [] })`

/** Adds one exchange and waits for style and layout; returns the milliseconds. */
const addOne = (id: number) => `(() => {
  const line = lineOf(${id})
  const began = performance.now()
  feedLines([line])
  document.querySelector('#diagram .diagram').getBoundingClientRect()
  return performance.now() - began
})()`

/**
 * The time to add the thousandth exchange to the page of the live exchanges, in a real browser,
 * with style and layout.
 */
export const measureDiagram: Measurement = async (say) => {
  const testbed = await startTestbed({ log: createLog({ level: 'silent' }) })
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.setViewport({ width: 1280, height: 720 })
    await page.goto(testbed.createConsoleLink())
    await page.evaluateOnNewDocument(fakeStream)
    await page.goto(`${testbed.file.consoleUrl}/exchanges`)
    await page.waitForFunction('window.stream !== undefined')
    await page.evaluate(feed)
    await page.evaluate("stream.feed('start', { words: {} })")
    await page.evaluate(
      `feedLines(Array.from({ length: ${before} }, (_, index) => lineOf(index + 1)))`,
    )
    const times: number[] = []
    for (let index = 1; index <= measured; index++) {
      times.push((await page.evaluate(addOne(before + index))) as number)
      // The browser paints between two exchanges.
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
    }
    const shown = await page.$eval('#count', ({ textContent }) => textContent)
    const sorted = times.toSorted((one, other) => one - other)
    const worst = sorted.at(-1) ?? Number.NaN
    const middle = sorted[measured >> 1] ?? Number.NaN
    say(`${shown}: median ${middle.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`)
    const first = times[0] ?? Number.NaN
    const figure = (what: string, ours: number): Figure => ({
      what,
      ours: `${ours.toFixed(1)} ms`,
      target: `at most ${frame} ms`,
      holds: ours <= frame,
    })
    return [
      figure('adding the thousandth exchange to the live diagram', first),
      figure(`median of the ${measured} from then on`, middle),
    ]
  } finally {
    await browser.close()
    await testbed.close()
  }
}

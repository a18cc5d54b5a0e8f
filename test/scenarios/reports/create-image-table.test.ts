import { describe, expect, it } from 'vitest'
import { createImageTable } from '#scenarios/reports/create-image-table.ts'
import { createScenarioResult } from '#test/support/create-scenario-result.ts'

const megabyte = 1024 * 1024
const image = (character: string, megabytes: number) => ({
  name: 'Page',
  mimeType: 'image/png',
  base64: character.repeat(megabytes * megabyte),
  step: 1,
})
const [large, small, ofFailure] = [image('A', 3), image('B', 1), image('C', 2)]
const scenarios = [
  createScenarioResult({ attachments: [large, small] }),
  createScenarioResult({ verdict: 'failed', attachments: [ofFailure, ofFailure] }),
]

describe('createImageTable', () => {
  it('keeps a page to a size by leaving images out, those of what failed last of all', () => {
    const { numberOf, images } = createImageTable(scenarios)
    expect([ofFailure, small, large].map(numberOf)).toEqual([0, 1, undefined])
    expect(images).toEqual([ofFailure.base64, small.base64])
  })

  it('takes no documents', () => {
    const text = { ...small, mimeType: 'text/html' }
    const { images } = createImageTable([createScenarioResult({ attachments: [text] })])
    expect(images).toEqual([])
  })
})

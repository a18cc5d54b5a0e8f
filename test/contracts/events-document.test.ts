import { readFileSync } from 'node:fs'
import { type ErrorFragment, type EventFragment, Interface } from 'ethers'
import { describe, expect, it } from 'vitest'
import { readCompiledContract } from '#test/support/contracts.ts'

const text = readFileSync(new URL('../../docs/reference/events.md', import.meta.url), 'utf8')
/** The events that A-15 lists. */
const agreed = [
  'FirstDidDocumentInserted',
  'DidDocumentInserted',
  'BaseDocumentUpdated',
  'AlsoKnownAsUpdated',
  'ControllerAdded',
  'ControllerRevoked',
  'VerificationMethodAdded',
  'VerificationMethodRevoked',
  'VerificationMethodExpired',
  'VerificationMethodRolled',
  'VerificationRelationshipAdded',
  'AttributeMetadataSet',
  'AttributeDataSet',
  'OnboardingNodeAuthorized',
  'OnboardingNodeWithdrawn',
]

const fragments = ['DidRegistry', 'TrustedIssuersRegistry'].flatMap((name) => [
  ...new Interface(readCompiledContract(name).abi as never).fragments,
])
const events = fragments.filter(({ type }) => type === 'event') as EventFragment[]
const errors = fragments.filter(({ type }) => type === 'error') as ErrorFragment[]

/** The part of the document below a heading. */
const sectionOf = (name: string) => text.split(`\n### ${name}\n`)[1]?.split('\n#')[0] ?? ''

// @row 2.events.1 2.events.2
describe('docs/reference/events.md', () => {
  it('lists exactly the agreed events', () => {
    expect(events.map(({ name }) => name).sort()).toEqual(agreed.toSorted())
  })

  it.each(events)('gives the topic hash of $name as ethers computes it', (event) => {
    expect(text).toContain(`| \`${event.format('sighash')}\` | \`${event.topicHash}\` |`)
  })

  it.each(events)('gives the indexed members of $name, and the contract that emits it', (event) => {
    const section = sectionOf(event.name)
    const rows = [
      ...section.matchAll(/^\| `(\w+)` \| (\w+)[^|]*\| (topics\[\d\]|data) \| .+ \|$/gm),
    ]
    let topic = 0
    const expected = event.inputs.map(({ name, type, indexed }) => [
      name,
      type,
      indexed ? `topics[${++topic}]` : 'data',
    ])
    expect(rows.map(([, ...cells]) => cells)).toEqual(expected)
    expect(section).toMatch(/^Emitted by `\w+`/m)
  })

  it.each(errors)('gives the selector of $name as ethers computes it, and its origin', (error) => {
    const line = text.split('\n').find((each) => each.includes(`\`${error.name}(`)) ?? ''
    expect(line).toContain(`| \`${error.selector}\` | `)
    expect(line).toMatch(/\| (`\w+`|the constructor)[^|]* \|$/)
  })
})

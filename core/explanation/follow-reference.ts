import { evaluateRules } from '#core/verification/evaluate-rules.ts'
import type { Lookup } from '#core/verification/lookup.ts'
import type { ExplainOptions } from './explain-options.ts'
import type { ExplainedContent } from './explainable-kind.ts'
import { factsOf } from './facts-of.ts'

/** The rule that something can be fetched by its address. */
export interface Reference {
  readonly rule: string
  readonly statement: string
  readonly path: string
  readonly url: string
}

/** Fetches what a link refers to, where that is allowed; `text` is what came. */
export async function followReference(
  { fetchReference }: ExplainOptions,
  { rule, statement, path, url }: Reference,
): Promise<ExplainedContent & { readonly text?: string }> {
  const fetched: Lookup<string> = fetchReference
    ? await fetchReference(url)
    : { ok: false, kind: 'not-asked', reason: 'nothing is fetched here' }
  const results = evaluateRules<Lookup<string>>(
    [
      {
        rule,
        statement,
        path,
        evaluate: (lookup, { lack }) => {
          if (!lookup.ok) lack(lookup)
        },
      },
    ],
    fetched,
  )
  return {
    ...results,
    facts: factsOf([['Address', url]]),
    content: undefined,
    ...(fetched.ok ? { text: fetched.value } : {}),
  }
}

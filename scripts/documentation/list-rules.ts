import { signedResultFormatRule } from '#conformance/kit/evidence/verify-signature.ts'
import { signedResultRules } from '#conformance/kit/evidence/verify-signed-result.ts'
import { statementRules } from '#conformance/kit/evidence/verify-statement.ts'
import { joinTexts, type MessageRules, messageRules } from '#core/explanation/rule-texts.ts'
import type { RuleText } from '#core/verification/rules.ts'
import { accountRule } from '#services/idp/domain/login.ts'
import { responseRules } from '#services/verifier/domain/verify-response.ts'

/** Rules of the services, by the message that they are about. */
const serviceRules: Readonly<Record<string, readonly RuleText[]>> = {
  Presentation: [...responseRules, accountRule],
}

const lists: readonly MessageRules[] = [
  ...messageRules.map(({ message, rules }) => ({
    message,
    rules: [...rules, ...(serviceRules[message] ?? [])],
  })),
  {
    message: 'Signed conformance result',
    rules: [signedResultFormatRule, ...signedResultRules],
  },
  {
    message: 'Signed conformance statement',
    rules: statementRules,
  },
]

/**
 * Every rule once, under the first message that it is about. A rule with several rows, such as one of
 * the parameters and one of the signature, has the texts of all of them.
 */
export function listRules(): { readonly message: string; readonly rules: RuleText[] }[] {
  const rows = Map.groupBy(
    lists.flatMap(({ rules }) => rules),
    ({ rule }) => rule,
  )
  return lists.map(({ message, rules }) => ({
    message,
    rules: rules.flatMap((row) => {
      const [first, ...others] = rows.get(row.rule) ?? []
      return first === undefined || row !== first ? [] : [joinTexts([first, ...others])]
    }),
  }))
}

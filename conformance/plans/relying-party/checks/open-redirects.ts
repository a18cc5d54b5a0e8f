import { defineChecks, held, wronglyAccepted } from '../../../kit/check.ts'
import { requireFinding } from '../../../kit/classify-answer.ts'
import { dueCases, findEach } from '../../../kit/find-each.ts'
import type { RelyingPartyContext } from '../context.ts'
import { verdictSource } from '../findings.ts'

/** Names that frameworks give to the address to which a login returns. */
const parameters = [
  'next',
  'return',
  'returnTo',
  'return_to',
  'returnUrl',
  'ReturnUrl',
  'return_url',
  'redirect',
  'redirectTo',
  'redirect_to',
  'redirectUrl',
  'redirect_url',
  'callbackUrl',
  'continue',
  'target',
  'destination',
  'goto',
  'url',
  'rd',
  'from',
]

/** Where a login returns to. */
export const checks = defineChecks<RelyingPartyContext>({
  'R66-open-redirect': {
    title: 'A login does not end at an address of another site',
    level: 'final',
    expectation: 'refuse',
    control: 'login',
    clauses: ['RFC 9700, 4.11.1'],
    description:
      'An attacker sends a link to your login page that ends at a copy of your application, where the user enters their data (open redirector).',
    sends:
      'Logins that begin at loginUrl with the address of another site in parameters such as next, returnTo, redirect and callbackUrl, in four spellings. Then the same address again, with the user logged in.',
    decides: 'The browser is not sent to the other site.',
    fix: 'Redirect after a login only to paths of your application: resolve the address against your origin, and require that origin. //host and /\\host lead to another site.',
    run: (context) =>
      findEach(dueCases(context, addressesOf(context)), async (address) => {
        const { loginUrl, client } = context.target
        const url = new URL(loginUrl)
        for (const name of parameters) url.searchParams.set(name, address)
        const foreign = new URL(address, client.redirectUri).href
        const browser = context.createBrowser([foreign])
        const begun = await context
          .openLogin(browser, url.href)
          .catch((error) => void requireFinding(error))
        if (begun === undefined) {
          return held(`With ${address} in its parameters, loginUrl does not start a login.`)
        }
        const pages = [(await context.finish(begun)).page, await browser.get(url.href)]
        return pages.some((page) => page.url.startsWith(foreign))
          ? wronglyAccepted(`The login ended at ${address}, which a parameter of loginUrl named.`, {
              verdictSource,
            })
          : held(`The login did not end at ${address}.`, { verdictSource })
      }),
  },
})

/** The same address, as a comparison of its beginning may take it for one of the application. */
function addressesOf({ target: { client } }: RelyingPartyContext): readonly string[] {
  const host = 'attacker.example'
  const { origin } = new URL(client.redirectUri)
  return [`https://${host}/`, `//${host}/`, `/\\${host}/`, `${origin}@${host}/`]
}

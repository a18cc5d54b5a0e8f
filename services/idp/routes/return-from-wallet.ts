import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { messagePage } from '../pages/message-page.ts'
import { answerBrowser } from './answer-browser.ts'

/**
 * Where a wallet leads its holder after presenting. In the browser that began the login, and with
 * the one-time code of this very presentation, it goes on to the login's page. Anywhere else, for
 * example on the phone that scanned the code, it only says that the other device goes on.
 *
 * @assumption A-31
 */
export const returnFromWallet = defineRoute<Dependencies>()({
  method: 'get',
  path: '/accounts/interaction/:uid/return',
  summary: 'Come back from the wallet',
  auth: 'none',
  documented: false,
  request: {
    params: z.object({ uid: z.string() }),
    query: z.object({ response_code: z.string().max(256).optional() }),
  },
  responses: {
    200: { description: 'A page that sends people back to where they began' },
    303: { description: 'On to the login’s page' },
  },
  handle: (input, dependencies) =>
    answerBrowser(input, dependencies, async ({ interaction, texts }) => {
      const code = input.query.response_code ?? ''
      if (interaction && (await dependencies.logins.useResponseCode(interaction.uid, code))) {
        const location = `/accounts/interaction/${interaction.uid}`
        return { status: 303, headers: { location, 'cache-control': 'no-store' } }
      }
      return messagePage(texts, {
        status: 200,
        title: texts.returnTitle,
        message: texts.returnMessage,
      })
    }),
})

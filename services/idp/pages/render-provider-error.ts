import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { isTestbedError } from '#core/errors/testbed-error.ts'
import { sendPage } from '#kit/openid-provider/provider-handler.ts'
import { errorPage } from './error-page.ts'
import { selectTexts } from './texts/select-texts.ts'

/** The page for what oidc-provider refuses or fails at, in the browser's language. */
export function renderProviderError(
  context: KoaContextWithOIDC,
  { error, error_description: description }: ErrorOut,
  thrown: Error,
): void {
  const asked = context.oidc?.params?.ui_locales
  const texts = selectTexts(context.get('accept-language'), asked)
  const known = isTestbedError(thrown)
    ? { status: thrown.status, code: thrown.code }
    : { status: context.status, code: error, description }
  sendPage(context, errorPage(texts, known))
}

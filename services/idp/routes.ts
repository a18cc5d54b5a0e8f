import { postAsGet } from '#kit/openid-provider/openid-routes.ts'
import { providerRoutes } from './adapters/openid-provider.ts'
import { adminRoutes } from './admin/routes.ts'
import type { Dependencies } from './dependencies.ts'
import { cancelLogin } from './routes/cancel-login.ts'
import { getAuthorize } from './routes/get-authorize.ts'
import { discovery } from './routes/get-discovery.ts'
import { getJwks } from './routes/get-jwks.ts'
import { getSessionStatus } from './routes/get-session-status.ts'
import { getUserinfo, postUserinfo } from './routes/get-userinfo.ts'
import { postResult } from './routes/post-result.ts'
import { postToken } from './routes/post-token.ts'
import { renewLogin } from './routes/renew-login.ts'
import { returnFromWallet } from './routes/return-from-wallet.ts'
import { showAsset } from './routes/show-asset.ts'
import { showLogin } from './routes/show-login.ts'

/** Every endpoint of the IDP, in the order of document 1; the pages come last. */
export const routes = [
  ...discovery,
  getAuthorize,
  postAsGet<Dependencies>(providerRoutes.authorization),
  postToken,
  getUserinfo,
  postUserinfo,
  getJwks,
  getSessionStatus,
  postResult,
  showLogin,
  renewLogin,
  cancelLogin,
  returnFromWallet,
  showAsset,
  ...adminRoutes,
]

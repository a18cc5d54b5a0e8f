import { changePassword, showAccount } from './account.ts'
import {
  createClient,
  deleteClient,
  rotateClientSecret,
  showClient,
  showClients,
  showNewClient,
  updateClient,
} from './clients.ts'
import { rotateKey, showKeys } from './keys.ts'
import { showAdminLogin, submitAdminLogin, submitAdminLogout } from './login.ts'
import { previewScopeMappers, saveScopeMappers, showMappers, showScopeMappers } from './mappers.ts'
import { showOverview } from './overview.ts'
import { showSession, showSessions } from './sessions.ts'

/** Every endpoint of the admin panel. */
export const adminRoutes = [
  showOverview,
  showAdminLogin,
  submitAdminLogin,
  submitAdminLogout,
  showClients,
  createClient,
  showNewClient,
  showClient,
  updateClient,
  rotateClientSecret,
  deleteClient,
  showMappers,
  showScopeMappers,
  saveScopeMappers,
  previewScopeMappers,
  showSessions,
  showSession,
  showKeys,
  rotateKey,
  showAccount,
  changePassword,
]

// The wallets section: draws the wallets with lit-html and follows their changes.
import { call, clockTime, environment, fill, isLost, pageData } from './kit.js'
import { html, nothing, render } from './lit-html/lit-html.js'
import { shortened } from './names.js'
import { problemView, ruleView } from './refusal.js'
import { claimRows, credentialCard, stepList } from './wallet-parts.js'

const data = pageData()
const { texts, people, clients, loginUrl } = data
const state = {
  wallets: data.wallets,
  chosen: data.wallets.at(-1)?.id,
  faults: { issuance: [], presentation: [] },
  statuses: {},
  logins: [],
  busy: false,
  problem: undefined,
  decoded: undefined,
  isLost: false,
  link: new URLSearchParams(location.search).get('link') ?? '',
}

/** The page's data, with the names of holders whose wallets it shows. */
function page() {
  const holders = state.wallets.map(({ holderDid, name, credentials: [newest] }) => [
    holderDid,
    [newest?.name, newest?.organization].filter(Boolean).join(', ') || name,
  ])
  return { ...data, names: { ...Object.fromEntries(holders), ...data.names } }
}

const chosenWallet = () => state.wallets.find(({ id }) => id === state.chosen)
const pathOf = (wallet, rest = '') => `/console/wallets/${wallet.id}${rest}`

function keepWallet(wallet) {
  const isKnown = state.wallets.some(({ id }) => id === wallet.id)
  state.wallets = isKnown
    ? state.wallets.map((each) => (each.id === wallet.id ? wallet : each))
    : [...state.wallets, wallet]
}

/** Runs a call, shows its error, and draws before and after. */
async function run(work) {
  state.busy = true
  state.problem = undefined
  draw()
  try {
    await work()
  } catch (problem) {
    state.problem = problem
  }
  state.busy = false
  draw()
}

async function readStatuses(wallet) {
  if (!wallet || wallet.credentials.length === 0) return
  try {
    const { statuses } = await call('GET', pathOf(wallet, '/statuses'))
    Object.assign(state.statuses, statuses)
  } catch {
    for (const { id } of wallet.credentials) state.statuses[id] = { status: 'unknown' }
  }
  draw()
}

async function readLogins() {
  try {
    const answer = await call('GET', `/console/pending-logins?env=${environment()}`)
    state.logins = answer.logins
    draw()
  } catch {
    // The stream shows whether the testbed answers.
  }
}

function choose(id) {
  state.chosen = id
  draw()
  readStatuses(chosenWallet())
}

const createWallet = (event) => {
  event.preventDefault()
  const members = Object.fromEntries(new FormData(event.target))
  run(async () => {
    const wallet = await call('POST', '/console/wallets', { env: environment(), ...members })
    keepWallet(wallet)
    state.chosen = wallet.id
  })
}

/** Returns whether the wallet did what the code or link asks for. */
async function scan(body) {
  let isDone = false
  await run(async () => {
    const wallet = chosenWallet()
    const { activity } = await call('POST', pathOf(wallet, '/scan'), body)
    isDone = activity.state === 'done'
    const { wallets } = await call('GET', `/console/wallets?env=${environment()}`)
    state.wallets = wallets
    if (isDone) state.link = ''
    await Promise.all([readStatuses(chosenWallet()), readLogins()])
    document.getElementById('activity')?.scrollIntoView({ block: 'nearest' })
  })
  return isDone
}

const base64Of = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let start = 0; start < bytes.length; start += 32_768) {
    text += String.fromCharCode(...bytes.subarray(start, start + 32_768))
  }
  return btoa(text)
}

const scanImage = async (file) => {
  const pin = document.getElementById('pin')?.value
  if (chosenWallet()) scan({ image: await base64Of(file), ...(pin && { pin }) })
}

const submitScan = async (event) => {
  event.preventDefault()
  const { link, image, pin, credential } = event.target.elements
  const [file] = image.files
  const source = file ? { image: await base64Of(file) } : { link: link.value }
  const chosen = credential?.value
  const isDone = await scan({
    ...source,
    ...(pin.value && { pin: pin.value }),
    ...(chosen && { credential_id: chosen }),
  })
  // Otherwise what was typed stays, for another attempt: with a PIN, or without the typo.
  if (isDone) event.target.reset()
}

document.addEventListener('paste', (event) => {
  const [file] = [...event.clipboardData.files].filter(({ type }) => type.startsWith('image/'))
  if (file) scanImage(file)
})
document.addEventListener('dragover', (event) => event.preventDefault())
document.addEventListener('drop', (event) => {
  event.preventDefault()
  const [file] = event.dataTransfer.files
  if (file) scanImage(file)
  else if (event.dataTransfer.getData('text')) {
    scan({ link: event.dataTransfer.getData('text') })
  }
})

const receiveSample = (event) => {
  event.preventDefault()
  const { person } = event.target.elements
  const body = { organization_identifier: person.value, by: 'reference' }
  run(async () => {
    const offer = await call('POST', `/control/${environment()}/offers`, body)
    await scan({ link: offer.offer_uri })
  })
}

const receiveMailed = () =>
  run(async () => {
    const { offers } = await call('GET', '/console/mailed-offers')
    if (offers.length === 0) throw new Error(texts.noMail)
    await scan({ link: offers[0].link })
  })

const chooseFault = (event) => {
  const { value } = event.target
  run(async () => {
    const faults = value === '' ? [] : [value]
    keepWallet(await call('PUT', pathOf(chosenWallet(), '/faults'), { faults }))
  })
}

const decode = (credential) =>
  run(async () => {
    state.decoded = await call('GET', pathOf(chosenWallet(), `/credentials/${credential.id}`))
    draw()
    document.getElementById('decoded').showModal()
  })

const removeCredential = (credential) =>
  run(async () => {
    const wallet = chosenWallet()
    await call('DELETE', pathOf(wallet, `/credentials/${credential.id}`))
    const credentials = wallet.credentials.filter(({ id }) => id !== credential.id)
    keepWallet({ ...wallet, credentials })
  })

const removeWallet = (wallet) => {
  if (!confirm(fill(texts.confirmDelete, { name: wallet.name }))) return
  run(async () => {
    await call('DELETE', pathOf(wallet))
    state.wallets = state.wallets.filter(({ id }) => id !== wallet.id)
    state.chosen = state.wallets.at(-1)?.id
  })
}

const freeName = () => {
  const base = people[0]?.name ?? texts.wallets
  const taken = (name) => state.wallets.some((each) => each.name === name)
  const names = [...people.map(({ name }) => name).filter(Boolean)]
  for (let number = 2; number < 60; number++) names.push(`${base} ${number}`)
  return names.find((name) => !taken(name)) ?? base
}

function walletChooser() {
  return html`<div class="row apart">
<div class="row" role="group" aria-label=${texts.wallets}>${state.wallets.map(
    ({
      id,
      name,
      faults,
    }) => html`<button type="button" class="button small ${id === state.chosen ? 'primary' : ''}"
aria-pressed=${id === state.chosen} @click=${() => choose(id)}>${name}${faults.length > 0 ? ' ⚠' : ''}</button>`,
  )}</div>
</div>
<details class="card new-wallet" ?open=${state.wallets.length === 0}><summary>${texts.newWallet}</summary>
<form class="row" id="new-wallet" @submit=${createWallet}>
<p><label for="name">${texts.name}</label><input id="name" name="name" required maxlength="64" .value=${freeName()}></p>
<p><label for="curve">${texts.curve}</label><select id="curve" name="curve">${data.keys.map(({ curve, suite }) => html`<option value=${curve}>${curve} (${suite})</option>`)}</select></p>
<p><label for="did_method">${texts.didMethod}</label><select id="did_method" name="did_method"><option value="key">did:key</option><option value="jwk">did:jwk</option></select></p>
<button class="button primary" ?disabled=${state.busy}>${texts.create}</button>
</form></details>`
}

function walletHeading(wallet) {
  return html`<div class="row apart wallet-heading">
<div><h2>${wallet.name}</h2><p class="soft small">${texts.key}: ${wallet.algorithm}, ${shortened(wallet.holderDid, data, 20, 6)}</p></div>
<button type="button" class="button small danger" ?disabled=${state.busy} @click=${() => removeWallet(wallet)}>${texts.deleteWallet}</button>
</div>`
}

function credentialSection(wallet) {
  return html`<section aria-labelledby="credentials-title"><h3 id="credentials-title">${texts.credentials}</h3>
${wallet.credentials.length === 0 ? html`<p class="soft">${texts.noCredentials}</p>` : nothing}
<div class="wallet-cards">${wallet.credentials.map((credential) =>
    credentialCard(credential, page(), {
      status: state.statuses[credential.id],
      actions: html`<button type="button" class="button small" @click=${() => decode(credential)}>${texts.decode}</button>
<button type="button" class="button small danger" ?disabled=${state.busy} @click=${() => removeCredential(credential)}>${texts.remove}</button>`,
    }),
  )}</div></section>`
}

// The page opened for a link, from an email or a login page: its form comes first.
const hasLink = state.link !== ''

function scanPanel(wallet) {
  return html`${hasLink ? scanForm(wallet) : nothing}
<section class="card"><h3>${texts.quick}</h3>
<form @submit=${receiveSample}>
<p><label for="person">${texts.sampleFor}</label><select id="person" name="person">${people.map(
    ({ organizationIdentifier, organization, name }) =>
      html`<option value=${organizationIdentifier}>${[name, organization].filter(Boolean).join(', ')}</option>`,
  )}</select></p>
<p class="actions"><button class="button primary" id="receive" ?disabled=${state.busy}>${texts.receive}</button>
<button type="button" class="button" id="receive-mailed" ?disabled=${state.busy} @click=${receiveMailed}>${texts.fromMail}</button></p></form>
</section>
<section class="card"><h3>${texts.logins}</h3>
${state.logins.length === 0 ? html`<p class="soft">${texts.noLogins}</p>` : nothing}
<ul class="list">${state.logins.slice(0, 5).map(
    ({ link, clientId, startedAt }) => html`<li class="row apart"><span>${fill(texts.loginAt, {
      client: clients[clientId] ?? clientId ?? '?',
      time: clockTime(startedAt),
    })}</span><button type="button" class="button small primary present" ?disabled=${state.busy || wallet.credentials.length === 0}
@click=${() => scan({ link })}>${texts.present}</button></li>`,
  )}</ul>
<p><a href=${loginUrl} target="_blank" rel="noopener">${texts.openLogin}</a></p>
</section>
${hasLink ? nothing : scanForm(wallet)}`
}

function scanForm(wallet) {
  return html`<section class="card"><h3>${texts.scan}</h3><p class="soft small">${texts.scanHint}</p>
<form id="scan" @submit=${submitScan}>
<label for="link">${texts.link}</label><input id="link" name="link" autocomplete="off" .value=${state.link}>
<label for="image">${texts.image}</label><input id="image" name="image" type="file" accept="image/png,image/jpeg">
<p class="soft small">${texts.drop}</p>
<label for="pin">${texts.pin}</label><input id="pin" name="pin" autocomplete="off">
${
  wallet.credentials.length > 1
    ? html`<label for="credential">${texts.credentialToPresent}</label><select id="credential" name="credential"><option value="">${texts.automatic}</option>${wallet.credentials.map(
        ({ id, name, organization }) =>
          html`<option value=${id}>${[name, organization].join(', ')}</option>`,
      )}</select>`
    : nothing
}
<button class="button primary" ?disabled=${state.busy}>${texts.open}</button>
</form></section>`
}

function expectation({ expected }) {
  const { at, rule, entails = [], status = '', error = '', because = '' } = expected
  return html`<p>${fill(texts.expected[at], { status, error, rule, because })}
${at !== 'verdict' && rule ? html` <code>${rule}</code>` : nothing}</p>
${entails.length > 0 ? html`<p class="soft small">${fill(texts.entails, { rules: entails.join(', ') })}</p>` : nothing}`
}

function faultPanel(wallet) {
  const [chosen = ''] = wallet.faults
  const groups = Object.entries(state.faults)
  const fault = groups.flatMap(([, faults]) => faults).find(({ name }) => name === chosen)
  return html`<section class="card"><h3><label for="fault">${texts.fault}</label></h3>
<p class="soft small">${texts.faultHint}</p>
<select id="fault" .value=${chosen} ?disabled=${state.busy} @change=${chooseFault}><option value="" ?selected=${chosen === ''}>${texts.noFault}</option>
${groups.map(
  ([group, faults]) =>
    html`<optgroup label=${texts.faultGroups[group]}>${faults.map(
      ({ name }) => html`<option value=${name} ?selected=${name === chosen}>${name}</option>`,
    )}</optgroup>`,
)}</select>
${
  fault
    ? html`<div class="warning" role="status"><p lang="en">${fault.description}</p>${expectation(fault)}
${fault.needs.length > 0 ? html`<p>${texts.faultNeeds}: ${fault.needs.map((need) => texts.needs[need]).join(', ')}.</p>` : nothing}</div>`
    : nothing
}</section>`
}

const resultOf = ({ state: ending, action, brokenRules }) => {
  if (ending === 'running') return ['wait', texts.results.running]
  if (ending === 'stopped') return ['bad', texts.results.stopped]
  if (action === 'accept-offer') return ['good', texts.results.accepted]
  const isRejected = brokenRules.some(({ part }) => part === 'verifier')
  return isRejected ? ['bad', texts.results.rejected] : ['good', texts.results.presented]
}

function activityPanel({ activities }) {
  return html`<section class="card" id="activity" aria-labelledby="activity-title"><h3 id="activity-title">${texts.activity}</h3>
${activities.length === 0 ? html`<p class="soft">${texts.noActivity}</p>` : nothing}
${activities.map((activity, index) => {
  const [kind, result] = resultOf(activity)
  return html`<details class="activity" ?open=${index === 0}><summary><span class="badge ${kind}">${result}</span>
<span class="soft small">${clockTime(activity.startedAt)}</span></summary>
${activity.action === 'present' && activity.state === 'done' ? html`<p class=${kind === 'good' ? 'done' : 'soft'}>${kind === 'good' ? texts.continued : texts.showsWhy}</p>` : nothing}
${activity.problem ? html`<p class="alert" lang="en"><code>${activity.problem.code}</code> ${activity.problem.message}</p>` : nothing}
${
  activity.brokenRules.length > 0
    ? html`<h4>${texts.brokenRules}</h4><ul class="list rules">${activity.brokenRules.map(
        (broken) => html`<li>${ruleView(broken)}
<p class="soft small">${fill(texts.evaluatedBy, { part: broken.part })}</p></li>`,
      )}</ul>`
    : nothing
}
${stepList(activity.steps, page())}</details>`
})}</section>`
}

function decodedDialog() {
  const { decoded } = state
  const table = (claims) => html`<div class="scrollable" tabindex="0"><table>
<thead><tr><th scope="col">${texts.claim}</th><th scope="col">${texts.value}</th><th scope="col">${texts.meaning}</th></tr></thead>
<tbody>${claimRows(claims, page())}</tbody></table></div>`
  return html`<dialog id="decoded" aria-labelledby="decoded-title">${
    decoded
      ? html`<div class="row apart"><h2 id="decoded-title">${texts.decoded}</h2><form method="dialog"><button class="button small">${texts.close}</button></form></div>
<h3>${texts.header}</h3>${table(decoded.header)}
<h3>${texts.payload}</h3>${table(decoded.payload)}
<p class="actions"><button type="button" class="button small" data-copy=${decoded.token}>${texts.copyToken}</button></p>`
      : nothing
  }</dialog>`
}

function draw() {
  const wallet = chosenWallet()
  render(
    html`${state.isLost ? html`<p class="alert" role="alert">${texts.lost}</p>` : nothing}
${walletChooser()}
<p role="status" class="wallet-status">${state.busy ? texts.working : wallet ? '' : texts.noWallets}</p>
${state.problem ? html`<div class="alert" role="alert">${problemView(state.problem)}</div>` : nothing}
${
  wallet
    ? html`${walletHeading(wallet)}<div class="wallet-columns"><div class="credential-column">${credentialSection(wallet)}</div>
<div class="action-column">${scanPanel(wallet)}${faultPanel(wallet)}</div>
<div class="activity-column">${activityPanel(wallet)}</div></div>`
    : nothing
}
${decodedDialog()}`,
    document.getElementById('wallets'),
  )
}

draw()
if (hasLink) document.querySelector('#scan button')?.focus()
readStatuses(chosenWallet())
readLogins()
call('GET', '/console/wallet-faults').then((faults) => {
  state.faults = faults
  draw()
})
// The clock may have been moved.
addEventListener('modified', () => readStatuses(chosenWallet()))
const stream = new EventSource(`/console/wallet-stream?env=${environment()}`)
stream.addEventListener('wallet', ({ data: text }) => {
  keepWallet(JSON.parse(text))
  draw()
})
stream.addEventListener('logins', readLogins)
stream.addEventListener('error', () => {
  state.isLost = isLost(stream)
  draw()
})
stream.addEventListener('open', () => {
  state.isLost = false
  draw()
})

// The choice of all suites.
const all = document.getElementById('all-suites')
const suites = [...document.querySelectorAll('.choices-grid input')]

function showAll() {
  const count = suites.filter(({ checked }) => checked).length
  all.checked = count === suites.length
  all.indeterminate = count > 0 && count < suites.length
}

all.addEventListener('change', () => {
  for (const suite of suites) suite.checked = all.checked
})
for (const suite of suites) suite.addEventListener('change', showAll)
showAll()

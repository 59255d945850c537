// Prints the output of `npm audit --json` as lines. Exits with 1 if there are advisories, and with 2 if npm
// could not be reached.
import { text } from 'node:stream/consumers'

const output = await text(process.stdin)
let audit
try {
  audit = JSON.parse(output)
} catch {
  audit = { message: 'no response' }
}
if (audit.vulnerabilities === undefined) {
  console.log(`not checked: ${audit.message ?? audit.error?.summary ?? 'no response'}`)
  process.exit(2)
}
const found = Object.values(audit.vulnerabilities)
for (const { name, severity, range } of found) console.log(`${severity}: ${name} ${range}`)
console.log(`${found.length} packages with advisories`)
process.exit(found.length > 0 ? 1 : 0)

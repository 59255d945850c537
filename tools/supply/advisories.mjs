// What `npm audit --json` says, in lines. Ends with 1 where something is known against a package, with 2 where npm could not
// be asked.
import { text } from 'node:stream/consumers'

const answer = await text(process.stdin)
let audit
try {
  audit = JSON.parse(answer)
} catch {
  audit = { message: 'no answer' }
}
if (audit.vulnerabilities === undefined) {
  console.log(`not asked: ${audit.message ?? audit.error?.summary ?? 'no answer'}`)
  process.exit(2)
}
const found = Object.values(audit.vulnerabilities)
for (const { name, severity, range } of found) console.log(`${severity}: ${name} ${range}`)
console.log(`${found.length} packages with something known against them`)
process.exit(found.length > 0 ? 1 : 0)

// Writes a bill of materials: `node --eval … FACTS FILE`. No moment and no random number: the same package, the same bill.
import { writeFileSync } from 'node:fs';

import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';

const [facts, file] = process.argv.slice(-2);
const { manifest, rust, crates } = JSON.parse(facts);
const { name, version, description, license, homepage, repository } = JSON.parse(manifest);

function component(type, name, { version, licence, about, page, purl, checksum }) {
  const made = new Models.Component(type, name, { version, description: about, purl, bomRef: purl ?? `${name}@${version}` });
  made.licenses.add(new Models.LicenseExpression(licence));
  if (page) made.externalReferences.add(new Models.ExternalReference(page, Enums.ExternalReferenceType.VCS));
  if (checksum) made.hashes.set(Enums.HashAlgorithm['SHA-256'], checksum);
  return made;
}

const bom = new Models.Bom();
const whole = component(Enums.ComponentType.Library, name, {
  version,
  licence: license.includes(' OR ') ? `(${license})` : license,
  about: description,
  page: repository.url,
  purl: `pkg:npm/${name}@${version}`,
});
whole.externalReferences.add(new Models.ExternalReference(homepage, Enums.ExternalReferenceType.Website));
bom.metadata.component = whole;
const parts = [
  ...crates.map(({ name, version, licence, repository, checksum }) =>
    component(Enums.ComponentType.Library, name, { version, licence, page: repository, purl: `pkg:cargo/${name}@${version}`, checksum }),
  ),
  component(Enums.ComponentType.Library, 'rust-std', {
    version: rust,
    licence: 'MIT OR Apache-2.0',
    about: 'The Rust standard library',
    page: 'https://github.com/rust-lang/rust',
  }),
  component(Enums.ComponentType.Data, 'tiktoken-vocabularies', {
    licence: 'MIT',
    about: 'The ranks of o200k_base and cl100k_base',
    page: 'https://github.com/openai/tiktoken',
  }),
];
for (const part of parts) {
  bom.components.add(part);
  whole.dependencies.add(part.bomRef);
}
const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
writeFileSync(file, `${serializer.serialize(bom, { sortLists: true, space: 1 })}\n`);

"""The parts of published schemas that the formats use, stricter than those: nothing else may be there.

SARIF 2.1.0 (OASIS), the diagnostic format of reviewdog, CodeTF 2 (codemodder), code quality reports of GitLab, and the
JUnit schema of the xUnit plugin for Jenkins.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string", "minLength": 1}
ANY_TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer", "minimum": 1}
ADDRESS: Schema = {"type": "string", "pattern": "^https://"}
HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{32}$"}


def record(optional: dict[str, Schema] | None = None, /, **required: Schema) -> Schema:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def array(items: Schema, least: int = 0) -> Schema:
    return {"type": "array", "items": items, "minItems": least}


def one_of(*values: object) -> Schema:
    return {"enum": list(values)}


# SARIF: an end needs a start, a URI is a reference without blanks, an index points into an array.
_LEVEL = one_of("error", "warning")
_URI: Schema = {"type": "string", "pattern": "^([A-Za-z0-9_.~/-]|%[0-9A-F]{2})+$"}
_ARTIFACT = record(uri=_URI, uriBaseId=one_of("%SRCROOT%"))
_REGION = record({"endLine": NUMBER, "endColumn": NUMBER}, startLine=NUMBER, startColumn=NUMBER)
_PLACE = record({"region": _REGION}, artifactLocation=_ARTIFACT)
_LOCATION = record({"message": record(text=TEXT)}, physicalLocation=_PLACE)
_RULE = record(
    {"helpUri": ADDRESS},
    id={"type": "string", "pattern": "^PKL[0-9]{3}$"},
    name={"type": "string", "pattern": "^[a-z0-9-]+$"},
    shortDescription=record(text=TEXT),
    fullDescription=record(text={"type": "string", "maxLength": 1024}),
    help=record(text=TEXT, markdown=TEXT),
    defaultConfiguration=record(level=_LEVEL),
    properties=record(
        {"tags": array(TEXT, 1)},
        **{"precision": one_of("high", "very-high"), "problem.severity": _LEVEL},
    ),
)
_SARIF_FIX = record(
    description=record(text=TEXT),
    artifactChanges=array(
        record(
            artifactLocation=_ARTIFACT,
            replacements=array(record(deletedRegion=_REGION, insertedContent=record(text=ANY_TEXT)), 1),
        ),
        1,
    ),
)
_RESULT = record(
    {
        "codeFlows": array(record(threadFlows=array(record(locations=array(record(location=_LOCATION), 1)), 1)), 1),
        "fixes": array(_SARIF_FIX, 1),
        "properties": record(applicability=one_of("safe", "unsafe")),
    },
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=_LEVEL,
    message=record(text=TEXT),
    locations={**array(_LOCATION, 1), "maxItems": 1},
    partialFingerprints=record(primaryLocationLineHash={"type": "string", "pattern": "^[0-9a-f]{32}:1$"}),
)
_RUN = record(
    automationDetails=record(id=TEXT),
    columnKind=one_of("unicodeCodePoints"),
    invocations=array(
        record(
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=array(
                record(level=_LEVEL, message=record(text=TEXT), locations=array(_LOCATION, 1))
            ),
        ),
        1,
    ),
    results=array(_RESULT),
    tool=record(
        driver=record(
            name=TEXT,
            version=TEXT,
            semanticVersion={"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
            informationUri=ADDRESS,
            rules=array(_RULE, 1),
        )
    ),
)
SARIF = record(
    **{"$schema": one_of("https://json.schemastore.org/sarif-2.1.0.json")},
    version=one_of("2.1.0"),
    runs=array(_RUN, 1),
)

# reviewdog: a suggestion is made of whole lines.
_POSITION = record(line=NUMBER, column=NUMBER)
_LINE = record(line=NUMBER)
_SOURCE = record(name=TEXT, url=ADDRESS)
RDJSON_LINE = record(
    {
        "related_locations": array(record(message=TEXT, location=record(path=TEXT, range=record(start=_LINE))), 1),
        "suggestions": {**array(record(range=record(start=_LINE, end=_LINE), text=ANY_TEXT), 1), "maxItems": 1},
    },
    message=TEXT,
    location=record(path=TEXT, range=record(start=_POSITION, end=_POSITION)),
    severity=one_of("ERROR", "WARNING"),
    source=_SOURCE,
    code=record({"url": ADDRESS}, value=TEXT),
)
RDJSON = record(diagnostics=array(RDJSON_LINE), severity=one_of("WARNING"), source=_SOURCE)

GITLAB = array(
    record(
        check_name=TEXT,
        description=TEXT,
        fingerprint=HASH,
        severity=one_of("info", "minor", "major", "critical", "blocker"),
        location=record(path=TEXT, positions=record(begin=_POSITION, end=_POSITION)),
    )
)

_CODETF_RULE = record(id=TEXT, name=TEXT, url={"anyOf": [ADDRESS, {"type": "null"}]})
_CODETF_FINDING = record(id=HASH, rule=_CODETF_RULE)
_UNFIXED = record(id=HASH, rule=_CODETF_RULE, path=TEXT, lineNumber=NUMBER, reason=TEXT)
CODETF = record(
    run=record(
        vendor=TEXT,
        tool=TEXT,
        version=TEXT,
        commandLine=TEXT,
        elapsed={"type": "integer", "minimum": 0},
        directory=TEXT,
        sarifs=array(TEXT),
    ),
    results=array(
        record(
            codemod={"type": "string", "pattern": "^picklefix:python/[a-z0-9-]+$"},
            summary=TEXT,
            description=TEXT,
            references=array(record(url=ADDRESS, description=TEXT)),
            properties={"type": "object"},
            failedFiles=array(TEXT),
            changeset=array(
                record(
                    path=TEXT,
                    diff=TEXT,
                    changes=array(
                        record(
                            lineNumber=NUMBER,
                            description=TEXT,
                            diffSide=one_of("left", "right"),
                            fixedFindings=array(_CODETF_FINDING, 1),
                        ),
                        1,
                    ),
                    strategy=one_of("deterministic"),
                    provisional={"type": "boolean"},
                )
            ),
            unfixedFindings=array(_UNFIXED),
        )
    ),
)

_JSON_PLACE = record(row=NUMBER, column=NUMBER)
_NULL: Schema = {"type": "null"}
JSON_LINE = record(
    captures=array(record(name=TEXT, types=array(TEXT))),
    cell=_NULL,
    code=TEXT,
    end_location=_JSON_PLACE,
    filename=TEXT,
    fingerprint=HASH,
    fix={
        "anyOf": [
            _NULL,
            record(
                applicability=one_of("safe", "unsafe"),
                message=TEXT,
                edits=array(record(content=ANY_TEXT, location=_JSON_PLACE, end_location=_JSON_PLACE), 1),
            ),
        ]
    },
    location=_JSON_PLACE,
    message=TEXT,
    name=TEXT,
    noqa_row={"anyOf": [_NULL, NUMBER]},
    reach={
        "anyOf": [
            _NULL,
            record(
                level=one_of("local", "state", "sink"),
                sink={"anyOf": [_NULL, TEXT]},
                steps=array(record(filename=TEXT, location=_JSON_PLACE, text=TEXT)),
            ),
        ]
    },
    reason={"anyOf": [_NULL, record(code=TEXT, advice=TEXT)]},
    severity=one_of("error", "warning"),
    url={"anyOf": [_NULL, ADDRESS]},
)
JSON = array(JSON_LINE)

JUNIT = """\
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:complexType name="outcome">
    <xs:simpleContent>
      <xs:extension base="xs:string">
        <xs:attribute name="type" use="required"/>
        <xs:attribute name="message" use="required"/>
      </xs:extension>
    </xs:simpleContent>
  </xs:complexType>
  <xs:complexType name="case">
    <xs:choice minOccurs="0">
      <xs:element name="failure" type="outcome"/>
      <xs:element name="error" type="outcome"/>
    </xs:choice>
    <xs:attribute name="name" use="required"/>
    <xs:attribute name="classname" use="required"/>
  </xs:complexType>
  <xs:complexType name="suite">
    <xs:sequence>
      <xs:element name="testcase" type="case" maxOccurs="unbounded"/>
    </xs:sequence>
    <xs:attribute name="name" use="required"/>
    <xs:attribute name="package" use="required"/>
    <xs:attributeGroup ref="counts"/>
    <xs:attribute name="skipped" type="xs:nonNegativeInteger" use="required"/>
  </xs:complexType>
  <xs:attributeGroup name="counts">
    <xs:attribute name="tests" type="xs:positiveInteger" use="required"/>
    <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
    <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
  </xs:attributeGroup>
  <xs:element name="testsuites">
    <xs:complexType>
      <xs:sequence>
        <xs:element name="testsuite" type="suite" maxOccurs="unbounded"/>
      </xs:sequence>
      <xs:attribute name="name" use="required"/>
      <xs:attributeGroup ref="counts"/>
    </xs:complexType>
  </xs:element>
</xs:schema>
"""

"""What Python, JSON, YAML, pydantic, Typer and the system say, in Chinese, by what it is in English.

Other programs give finished sentences: a value, ``{}`` here, is known only by the words around it.
What isn't here is shown as it was said. What msmap itself says is a ``Message``.
"""

# ruff: noqa: E501

from __future__ import annotations

import re

_PYTHON = {
    "invalid syntax": "语法无效",
    "invalid syntax. Perhaps you forgot a comma?": "语法无效；是否漏了逗号？",
    "invalid syntax. Maybe you meant '==' or ':=' instead of '='?": "语法无效；是否应将 = 写成 == 或 :=？",
    "invalid syntax. Is this intended to be part of the string?": "语法无效；这部分是否应在字符串之内？",
    "'{}' was never closed": "“{}” 没有闭合",
    "unmatched '{}'": "“{}” 没有与之配对的括号",
    "closing parenthesis '{}' does not match opening parenthesis '{}'": "右括号 “{}” 与左括号 “{}” 不匹配",
    "closing parenthesis '{}' does not match opening parenthesis '{}' on line {}":
        "右括号 “{}” 与第 {2} 行的左括号 “{1}” 不匹配",
    "expected '{}'": "此处应为 “{}”",
    "expected an indented block": "此处应为缩进的代码块",
    "expected an indented block after {} on line {}": "第 {1} 行的 {0} 之后应为缩进的代码块",
    "expected 'except' or 'finally' block": "此处应为 except 或 finally 代码块",
    "unexpected indent": "多余的缩进",
    "unindent does not match any outer indentation level": "缩进与外层任何一级都不一致",
    "inconsistent use of tabs and spaces in indentation": "缩进中混用了制表符和空格",
    "unexpected EOF while parsing": "代码意外结束",
    "unexpected character after line continuation character": "续行符之后有多余的字符",
    "unterminated string literal (detected at line {})": "字符串没有结束（在第 {} 行发现）",
    "unterminated triple-quoted string literal (detected at line {})": "三引号字符串没有结束（在第 {} 行发现）",
    "unterminated f-string literal (detected at line {})": "f-string 没有结束（在第 {} 行发现）",
    "unterminated triple-quoted f-string literal (detected at line {})": "三引号 f-string 没有结束（在第 {} 行发现）",
    "f-string: {}": "f-string：{}",
    "expecting '}'": "缺少 “}”",
    "single '}' is not allowed": "不允许单独的 “}”",
    "empty expression not allowed": "表达式不能为空",
    "cannot assign to {}": "不能对 {} 赋值",
    "cannot assign to {} here. Maybe you meant '==' instead of '='?": "此处不能对 {} 赋值；是否应将 = 写成 ==？",
    "cannot delete {}": "不能删除 {}",
    "positional argument follows keyword argument": "位置参数出现在关键字参数之后",
    "positional argument follows keyword argument unpacking": "位置参数出现在 ** 解包之后",
    "keyword argument repeated: {}": "关键字参数重复：{}",
    "Missing parentheses in call to '{}'. Did you mean {}(...)?": "{0} 缺少括号；应写成 {0}(...)",
    "multiple exception types must be parenthesized": "多个异常类型须写在括号中",
    "invalid character '{}' ({})": "非法字符 “{}”（{}）",
    "invalid non-printable character {}": "不可打印的非法字符 {}",
    "invalid decimal literal": "数值写法有误",
    "invalid hexadecimal literal": "十六进制数写法有误",
    "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers":
        "十进制整数不能以 0 开头；八进制数请以 0o 开头",
    "source code string cannot contain null bytes": "代码中含有空字节",
    "unknown encoding: {}": "未知编码：{}",
    "encoding problem: {}": "编码有误：{}",
    "invalid or missing encoding declaration for {}": "{} 的编码声明缺失或有误",
    "'{}' codec can't decode byte {} in position {}: {}": "{} 编码无法解码位置 {2} 的字节 {1}：{3}",
    "'{}' codec can't decode bytes in position {}: {}": "{} 编码无法解码位置 {} 的字节：{}",
    "invalid start byte": "不是合法的起始字节",
    "invalid continuation byte": "不是合法的后续字节",
    "unexpected end of data": "数据意外结束",
    "invalid literal for int() with base {}: {}": "{1} 不是 {0} 进制整数",
    "month must be in {}": "月份应在 {} 之间",
    "day is out of range for month": "该月没有这一天",
}  # fmt: skip
_JSON = {
    "Expecting value: line {} column {} (char {})": "第 {} 行第 {} 列应为值（第 {} 个字符）",
    "Expecting property name enclosed in double quotes: line {} column {} (char {})":
        "第 {} 行第 {} 列应为双引号中的键（第 {} 个字符）",
    "Expecting ',' delimiter: line {} column {} (char {})": "第 {} 行第 {} 列应为逗号（第 {} 个字符）",
    "Expecting ':' delimiter: line {} column {} (char {})": "第 {} 行第 {} 列应为冒号（第 {} 个字符）",
    "Extra data: line {} column {} (char {})": "第 {} 行第 {} 列起有多余内容（第 {} 个字符）",
    "Unterminated string starting at: line {} column {} (char {})":
        "第 {} 行第 {} 列开始的字符串没有结束（第 {} 个字符）",
    "Invalid control character at: line {} column {} (char {})":
        "第 {} 行第 {} 列有非法的控制字符（第 {} 个字符）",
    "Invalid \\escape: line {} column {} (char {})": "第 {} 行第 {} 列的转义有误（第 {} 个字符）",
    "Illegal trailing comma before end of object: line {} column {} (char {})":
        "第 {} 行第 {} 列：对象末尾多了逗号（第 {} 个字符）",
    "Illegal trailing comma before end of array: line {} column {} (char {})":
        "第 {} 行第 {} 列：数组末尾多了逗号（第 {} 个字符）",
}  # fmt: skip
_SYSTEM = {
    "No such file or directory": "文件或目录不存在",
    "Permission denied": "权限不足",
    "Is a directory": "是目录",
    "Not a directory": "不是目录",
    "File name too long": "文件名过长",
    "File exists": "文件已存在",
    "Read-only file system": "文件系统只读",
    "No space left on device": "磁盘空间不足",
    "Disk quota exceeded": "超出磁盘配额",
    "Too many open files": "打开的文件过多",
    "Too many levels of symbolic links": "符号链接层数过多",
    "Operation not permitted": "不允许此操作",
    "Input/output error": "输入输出错误",
    "Address already in use": "地址已被占用",
    "Cannot assign requested address": "无法使用该地址",
    "Text file busy": "文件正在执行",
    "File too large": "文件过大",
    "embedded null byte": "路径中含有空字节",
}  # fmt: skip
# Of libyaml, which PyYAML reads files with.
_YAML = {
    "block sequence entries are not allowed in this context": "此处不能出现列表项（-）",
    "mapping keys are not allowed in this context": "此处不能出现键（?）",
    "mapping values are not allowed in this context": "此处不能出现值（:）；含冒号的文字须加引号",
    "control characters are not allowed": "不允许控制字符",
    "could not find expected ':'": "缺少冒号（:）",
    "could not find expected directive name": "缺少指令名",
    "did not find URI escaped octet": "缺少 URI 转义字节",
    "did not find expected '!'": "缺少 “!”",
    "did not find expected ',' or ']'": "缺少 “,” 或 “]”",
    "did not find expected ',' or '}'": "缺少 “,” 或 “}”",
    "did not find expected '-' indicator": "缺少列表项标记 “-”",
    "did not find expected <document start>": "缺少文档开头",
    "did not find expected <stream-start>": "缺少文件开头",
    "did not find expected alphabetic or numeric character": "缺少字母或数字",
    "did not find expected comment or line break": "此处应为注释或换行",
    "did not find expected digit or '.' character": "此处应为数字或 “.”",
    "did not find expected hexdecimal number": "此处应为十六进制数",
    "did not find expected key": "此处应为键；请检查缩进",
    "did not find expected node content": "此处应为内容",
    "did not find expected tag URI": "缺少标签的 URI",
    "did not find expected version number": "缺少版本号",
    "did not find expected whitespace": "缺少空格",
    "did not find expected whitespace or line break": "缺少空格或换行",
    "did not find the expected '>'": "缺少 “>”",
    "found a tab character that violates indentation": "制表符破坏了缩进",
    "found a tab character where an indentation space is expected": "缩进处应为空格，而不是制表符",
    "found an incorrect leading UTF-8 octet": "UTF-8 起始字节有误",
    "found an incorrect trailing UTF-8 octet": "UTF-8 后续字节有误",
    "found an indentation indicator equal to 0": "缩进指示不能为 0",
    "found character that cannot start any token": "此字符不能作为开头；请加引号",
    "found duplicate %TAG directive": "%TAG 指令重复",
    "found duplicate %YAML directive": "%YAML 指令重复",
    "found duplicate anchor; first occurrence": "锚点重复",
    "found extremely long version number": "版本号过长",
    "found incompatible YAML document": "YAML 版本不兼容",
    "found invalid Unicode character escape code": "Unicode 转义有误",
    "found undefined alias": "别名没有定义",
    "found undefined tag handle": "标签前缀没有定义",
    "found unexpected ':'": "多余的 “:”",
    "found unexpected document indicator": "多余的文档标记",
    "found unexpected end of stream": "文件意外结束",
    "found unexpected non-alphabetical character": "多余的非字母字符",
    "found unknown directive name": "未知的指令",
    "found unknown escape character": "未知的转义字符",
    "but found another document": "文件中有多个文档",
    "could not determine a constructor for the tag {}": "不支持标签 {}",
    "unacceptable character #x{}: {}": "非法字符 #x{}：{}",
    "expected {}": "应为 {}",
    "special characters are not allowed": "不允许特殊字符",
}  # fmt: skip
_PYDANTIC = {
    "input should be a valid string": "应为文本",
    "input should be a valid list": "应为列表",
    "input should be a valid dictionary": "应为映射",
    "input should be a valid dictionary or instance of {}": "应为映射（{}）",
    "input should be a valid boolean": "应为 true 或 false",
    "input should be a valid boolean, unable to interpret input": "应为 true 或 false",
    "input should be a valid integer": "应为整数",
    "input should be a valid integer, unable to parse string as an integer": "应为整数",
    "input should be a valid integer, got a number with a fractional part": "应为整数，而给出了小数",
    "input should be a valid number": "应为数",
    "input should be a valid number, unable to parse string as a number": "应为数",
    "input should be greater than {}": "应大于 {}",
    "input should be greater than or equal to {}": "应不小于 {}",
    "input should be less than {}": "应小于 {}",
    "input should be less than or equal to {}": "应不大于 {}",
    "string should match pattern {}": "应匹配 {}",
    "string should have at least {} character": "至少要有 {} 个字符",
    "string should have at least {} characters": "至少要有 {} 个字符",
    "string should have at most {} characters": "最多 {} 个字符",
    "list should have at least {} item after validation, not {}": "列表至少要有 {} 项，而不是 {} 项",
    "list should have at least {} items after validation, not {}": "列表至少要有 {} 项，而不是 {} 项",
    "list should have at most {} items after validation, not {}": "列表最多 {} 项，而不是 {} 项",
    "dictionary should have at least {} item after validation, not {}": "映射至少要有 {} 项，而不是 {} 项",
}  # fmt: skip
# What Typer says of arguments that a command can't take.
_TYPER = {
    "Got unexpected extra argument(s) ({})": "多余的参数 ({})",
    "Got unexpected extra argument ({})": "多余的参数 ({})",
    "Got unexpected extra arguments ({})": "多余的参数 ({})",
    "No such command '{}'": "没有命令 {}",
    "No such command '{}'. Did you mean {}?": "没有命令 {}；是否想写 {}？",
    "Missing command": "缺少命令",
    "option {} requires an argument": "选项 {} 需要一个值",
    "option {} does not take a value": "选项 {} 不带值",
    "'{}' is not a valid {}": "{} 不是有效的 {}",
    "{} is not in the range {}": "{} 不在范围 {} 内",
    "File '{}' does not exist": "文件 {} 不存在",
    "File '{}' is a directory": "{} 是目录而非文件",
    "Directory '{}' is a file": "{} 是文件而非目录",
    "Path '{}' does not exist": "路径 {} 不存在",
}  # fmt: skip
CHINESE = _PYTHON | _JSON | _SYSTEM | _YAML | _PYDANTIC | _TYPER


def chinese(sentence: str) -> str:
    """A finished sentence of another program in Chinese, values too; as it is if it isn't known."""
    if sentence in CHINESE:
        return CHINESE[sentence]
    # Those with the most words fit best.
    for text in sorted(CHINESE, key=len, reverse=True):
        parts = text.split("{}")
        # Nearly all differ where they begin or end: few patterns are ever compiled.
        if not sentence.startswith(parts[0]) or not sentence.endswith(parts[-1]):
            continue
        if found := re.fullmatch("(.*?)".join(map(re.escape, parts)), sentence, re.DOTALL):
            return CHINESE[text].format(*map(chinese, found.groups()))
    return sentence
